import { may, mayReceiveAccount, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { incomplete, type User, type UserInput } from '@balcao/contract/users.ts'
import { refuse } from '../../platform/errors.ts'

export type UserChanges = Partial<UserInput>
type Field = keyof UserInput

/** The fields that every user may change of their own. */
const OWN: Field[] = [
  ...(['name', 'greetingMessage', 'farewellMessage', 'enableGreeting', 'signMessage'] as const),
  ...(['showAllTickets', 'volume'] as const),
]

/** The fields whose value differs: screens send the whole user, and unchanged fields need no permission. */
export function changesOf(
  user: User,
  { password, greetingMessage, farewellMessage, queueIds, email, ...plain }: UserChanges,
): UserChanges {
  const changes: UserChanges = {}
  for (const field of Object.keys(plain) as (keyof typeof plain)[])
    if (plain[field] !== undefined && plain[field] !== user[field])
      Object.assign(changes, { [field]: plain[field] })
  if (password) changes.password = password
  if (email !== undefined && email !== user.email) changes.email = email
  if (greetingMessage !== undefined && (greetingMessage ?? '') !== user.greetingMessage)
    changes.greetingMessage = greetingMessage ?? ''
  if (farewellMessage !== undefined && (farewellMessage ?? '') !== user.farewellMessage)
    changes.farewellMessage = farewellMessage ?? ''
  if (queueIds && !sameIds(queueIds, user.queues)) changes.queueIds = queueIds
  return changes
}

const sameIds = (ids: number[], queues: { id: number }[]) =>
  new Set(ids).size === queues.length && queues.every(({ id }) => ids.includes(id))

/** A user as this reader sees them: until when the company has to pay is for those who see its invoices. */
export const readBy = (reader: Viewer, user: User): User =>
  may(reader, 'payPanel') ? user : { ...user, company: { ...user.company, payBy: null } }

/** Refuses with ERR_NO_PERMISSION and the first field that the viewer may not change on this user. */
export function refuseForeignUser(viewer: Viewer, user: User, changes: UserChanges) {
  const own = user.id === viewer.id
  if (user.master === 1 && viewer.master !== 1) refuse('ERR_NO_PERMISSION')
  if (!own && !may(viewer, 'administration')) refuse('ERR_NO_PERMISSION')
  for (const field of Object.keys(changes) as Field[])
    if (!(own && OWN.includes(field)) && !may(viewer, 'administration'))
      refuse('ERR_NO_PERMISSION', { field })
  // their own are changed by routes of `accounts`, which require the current password
  if (own && changes.password) refuse('ERR_NO_PERMISSION', { field: 'password' })
  if (own && changes.email) refuse('ERR_NO_PERMISSION', { field: 'email' })
  // else a user could log in with permissions that they may not grant
  for (const field of ['password', 'email'] as const)
    if (changes[field] && !mayReceiveAccount(viewer, user)) refuse('ERR_NO_PERMISSION', { field })
  // a company keeps at least this admin
  if (own && changes.profile) refuse('ERR_NO_PERMISSION', { field: 'profile' })
  refuseFlags(viewer, changes)
}

/** Who has the finance panel may grant it; masters may make masters (USER-010..012). */
export function refuseFlags(viewer: Viewer, { payPanelAccess, master }: UserChanges) {
  if (payPanelAccess !== undefined && !viewer.payPanelAccess && viewer.master !== 1)
    refuse('ERR_NO_PERMISSION', { field: 'payPanelAccess' })
  if (master !== undefined && viewer.master !== 1) refuse('ERR_NO_PERMISSION', { field: 'master' })
}

/** Required fields of a new user, unless a master adds them; the messages are the documents' (USER-005..007). */
export function refuseIncomplete({ userAuthorizationId, whatsappId, queueIds }: UserChanges) {
  if (!userAuthorizationId) refuseMissing('userAuthorizationId')
  if (!whatsappId) refuseMissing('whatsappId')
  if (!queueIds?.length) refuseMissing('queueIds')
}

const refuseMissing = (field: keyof typeof incomplete) =>
  refuse('ERR_BAD_REQUEST', { field, message: incomplete[field] })

export const touchesAdministration = ({ profile, userAuthorizationId, master }: UserChanges) =>
  profile !== undefined || userAuthorizationId !== undefined || master !== undefined
