import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { incomplete, type User, type UserInput } from '@balcao/contract/users.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { holdAuthorization } from '../permissions/permissions.queries.ts'
import { holdQueues } from '../queues/queues.queries.ts'
import { hasAdministrator, holdConnection } from './users.queries.ts'

export type UserChanges = Partial<UserInput>
type Field = keyof UserInput

/** What everybody may change of himself. */
const OWN: Field[] = ['name', 'greetingMessage', 'enableGreeting', 'signMessage', 'showAllTickets', 'volume']

/**
 * Screens send the whole user along with the one value that changed: what stands already asks for no right and
 * falls away here.
 */
export function changesOf(
  user: User,
  { password, greetingMessage, queueIds, email, ...plain }: UserChanges,
): UserChanges {
  const changes: UserChanges = {}
  for (const field of Object.keys(plain) as (keyof typeof plain)[])
    if (plain[field] !== undefined && plain[field] !== user[field])
      Object.assign(changes, { [field]: plain[field] })
  if (password) changes.password = password
  if (email !== undefined && email !== user.email) changes.email = email
  if (greetingMessage !== undefined && (greetingMessage ?? '') !== user.greetingMessage)
    changes.greetingMessage = greetingMessage ?? ''
  if (queueIds && !sameIds(queueIds, user.queues)) changes.queueIds = queueIds
  return changes
}

const sameIds = (ids: number[], queues: { id: number }[]) =>
  new Set(ids).size === queues.length && queues.every(({ id }) => ids.includes(id))

/** Refuses with ERR_NO_PERMISSION and the first field that the viewer may not change on this user. */
export function refuseForeignUser(viewer: Viewer, user: User, changes: UserChanges) {
  const own = user.id === viewer.id
  if (user.master === 1 && viewer.master !== 1) refuse('ERR_NO_PERMISSION')
  if (!own && !may(viewer, 'administration')) refuse('ERR_NO_PERMISSION')
  for (const field of Object.keys(changes) as Field[])
    if (!(own && OWN.includes(field)) && !may(viewer, 'administration'))
      refuse('ERR_NO_PERMISSION', { field })
  // the own password is asked for before either changes: by the calls of `accounts`
  if (own && changes.password) refuse('ERR_NO_PERMISSION', { field: 'password' })
  if (own && changes.email) refuse('ERR_NO_PERMISSION', { field: 'email' })
  // a company keeps at least this admin
  if (own && changes.profile) refuse('ERR_NO_PERMISSION', { field: 'profile' })
  refuseFlags(viewer, changes)
}

/** The finance panel is given by those who have it, mastership by masters (USER-010..012). */
export function refuseFlags(viewer: Viewer, { payPanelAccess, master }: UserChanges) {
  if (payPanelAccess !== undefined && !viewer.payPanelAccess && viewer.master !== 1)
    refuse('ERR_NO_PERMISSION', { field: 'payPanelAccess' })
  if (master !== undefined && viewer.master !== 1) refuse('ERR_NO_PERMISSION', { field: 'master' })
}

/** What non-masters must give a new user, in the documents' words (USER-005..007). */
export function refuseIncomplete({ userAuthorizationId, whatsappId, queueIds }: UserChanges) {
  if (!userAuthorizationId) refuseMissing('userAuthorizationId')
  if (!whatsappId) refuseMissing('whatsappId')
  if (!queueIds?.length) refuseMissing('queueIds')
}

const refuseMissing = (field: keyof typeof incomplete) =>
  refuse('ERR_BAD_REQUEST', { field, message: incomplete[field] })

/** What may take a user's right to administrate. */
export const touchesAdministration = ({ profile, userAuthorizationId, master }: UserChanges) =>
  profile !== undefined || userAuthorizationId !== undefined || master !== undefined

/**
 * A company keeps somebody who can give rights back: refuses with ERR_LAST_ADMIN when what this transaction changed
 * left nobody. The lock on administration was taken before.
 */
export async function refuseWithoutAdmin(tx: Tx, field: string) {
  if (!(await hasAdministrator(tx))) refuse('ERR_LAST_ADMIN', { field })
}

/**
 * Ids that come from a client name things of this company, or they are not found, with their field. They stay until
 * this transaction ends: who deletes one of them meanwhile waits, and takes it from this user too.
 */
export async function userIdsInCompany(tx: Tx, { userAuthorizationId, whatsappId, queueIds }: UserChanges) {
  if (userAuthorizationId) await holdAuthorization(tx, userAuthorizationId, 'userAuthorizationId')
  if (whatsappId && !(await holdConnection(tx, whatsappId)))
    refuse('ERR_NO_WAPP_FOUND', { field: 'whatsappId' })
  if (queueIds) await holdQueues(tx, queueIds)
}
