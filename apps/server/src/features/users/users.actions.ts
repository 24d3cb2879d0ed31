import { mayReceiveAccount } from '@balcao/contract/permissions.rules.ts'
import type { User, UserInput } from '@balcao/contract/users.ts'
import { hashNewPassword } from '../../platform/access/passwords.ts'
import { databaseTime } from '../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { refuseUsed } from '../../platform/uses.ts'
import { removeInPieces } from '../../platform/work/removal.ts'
import { forgetLetters } from '../mails/mails.queries.ts'
import { lockAdministration } from '../permissions/permissions.queries.ts'
import { selectQueues } from '../queues/queues.queries.ts'
import { refuseWithoutAdmin, refuseWithoutSeat, userIdsInCompany } from './users.checks.queries.ts'
import { withDefaults } from './users.defaults.actions.ts'
import { credentialsChanged, userChanged, userDeleting, userEmptying, userRemoved } from './users.events.ts'
import {
  deleteUser,
  findUser,
  holdConnection,
  holdUser,
  insertUser,
  lockUser,
  setUserQueues,
  updateUser,
} from './users.queries.ts'
import {
  changesOf,
  refuseFlags,
  refuseForeignUser,
  refuseIncomplete,
  touchesAdministration,
  type UserChanges,
} from './users.rules.ts'

/**
 * Adds a user within the plan. Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER, ERR_EMAIL_EXISTS,
 * ERR_NO_PERMISSION for flags that the caller may not grant, ERR_BAD_REQUEST for missing fields.
 */
export async function addUser(scope: Scope, input: UserInput): Promise<User> {
  const me = viewerOf(scope)
  if (!input.password) return refuse('ERR_BAD_REQUEST', { field: 'password', message: 'Required' })
  refuseFlags(me, { payPanelAccess: input.payPanelAccess || undefined, master: input.master || undefined })
  const passwordHash = await hashNewPassword(scope, input.password, `user ${me.id}`)
  return orEmailExists(
    scope.transaction(async tx => {
      await refuseWithoutSeat(tx)
      const given = me.master === 1 ? input : await withDefaults(tx, input)
      if (me.master !== 1) refuseIncomplete(given)
      await userIdsInCompany(tx, given)
      const { name, email } = given
      const userId = await insertUser(tx, { ...columnsOf(given), name, email, passwordHash })
      await setUserQueues(tx, userId, given.queueIds ?? [])
      return emitChanged(tx, userId, { created: true })
    }),
  )
}

/**
 * Changes a user: users their own preferences, administrators the rest. A new password or e-mail ends the user's
 * sessions, a password also their API tokens and ids of campaign setups unless `endSecrets` is false. Refuses with ERR_NO_USER_FOUND, ERR_NO_PERMISSION and the field, ERR_EMAIL_EXISTS,
 * ERR_LAST_ADMIN.
 */
export async function changeUser(
  scope: Scope,
  userId: number,
  { endSecrets = true, ...input }: UserChanges & { endSecrets?: boolean | undefined },
): Promise<User> {
  const me = viewerOf(scope)
  const passwordHash = input.password
    ? await hashNewPassword(scope, input.password, `user ${me.id}`)
    : undefined
  return orEmailExists(
    scope.transaction(async tx => {
      if (touchesAdministration(input)) await lockAdministration(tx)
      await lockUser(tx, userId)
      const before = await findUser(tx.sql, tx.companyId, userId)
      const changes = changesOf(before, input)
      refuseForeignUser(me, before, changes)
      await userIdsInCompany(tx, changes)
      const newCredentials = Boolean(passwordHash || changes.email)
      await updateUser(tx, userId, {
        ...columnsOf(changes),
        ...(passwordHash && { passwordHash }),
        ...(newCredentials && { credentialsAt: now() }),
      })
      if (touchesAdministration(changes))
        await refuseWithoutAdmin(tx, changes.profile ? 'profile' : 'userAuthorizationId')
      if (changes.queueIds) await setUserQueues(tx, userId, changes.queueIds)
      if (newCredentials)
        await tx.involve(credentialsChanged, {
          ...{ userId, keptSession: null },
          endsSecrets: passwordHash !== undefined && endSecrets,
        })
      return emitChanged(tx, userId, { created: false })
    }),
  )
}

/**
 * Deletes a user with their sessions; open tickets are pending again (OP-70), some a commit (`removeInPieces`), owned records go to
 * the heir or stop. Refuses the caller with ERR_NO_PERMISSION, the last administrator with ERR_LAST_ADMIN, and an unknown heir
 * with ERR_NO_USER_FOUND.
 */
export const removeUser = (scope: Scope, userId: number, heirId: number | null, evenIfUsed: boolean) =>
  removeInPieces(scope, async (tx, most) => {
    const me = viewerOf(scope)
    await lockAdministration(tx)
    await lockUser(tx, userId)
    const leaving = await findUser(tx.sql, tx.companyId, userId)
    if (userId === me.id) refuse('ERR_NO_PERMISSION', { field: 'userId' })
    if (!mayReceiveAccount(me, leaving)) refuse('ERR_NO_PERMISSION', { field: 'userId' })
    await refuseUsed(tx, 'user', userId, evenIfUsed)
    await refuseWithoutAdmin(tx, 'userId', userId)
    if (heirId !== null && (heirId === userId || !(await holdUser(tx, heirId))))
      refuse('ERR_NO_USER_FOUND', { field: 'heirId' })
    await tx.involve(credentialsChanged, { userId, keptSession: null, endsSecrets: false })
    const taken = { rows: 0 }
    await tx.involve(userEmptying, { userId, most, taken })
    if (taken.rows > 0) return true
    await tx.involve(userDeleting, { userId, heirId })
    await forgetLetters(tx, leaving.email)
    await deleteUser(tx, userId)
    tx.emit(userRemoved, { userId })
    return false
  })

export interface InvitedUser {
  name: string
  email: string
  passwordHash: string
  profile: 'admin' | 'user'
  userAuthorizationId: number | null
  whatsappId: number | null
  queueIds: number[]
}

/**
 * Adds an invited user within the plan. Queues and connection that were deleted meanwhile are left out (OP-70). Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER, ERR_EMAIL_EXISTS.
 */
export async function addInvitedUser(tx: Tx, { queueIds, ...invited }: InvitedUser): Promise<User> {
  await refuseWithoutSeat(tx)
  const { whatsappId } = invited
  const isThere = whatsappId !== null && (await holdConnection(tx, whatsappId))
  const id = await orEmailExists(insertUser(tx, { ...invited, whatsappId: isThere ? whatsappId : null }))
  const known = new Set((await selectQueues(tx)).map(queue => queue.id))
  await setUserQueues(
    tx,
    id,
    queueIds.filter(queueId => known.has(queueId)),
  )
  return emitChanged(tx, id, { created: true })
}

/**
 * Sets a password and ends every session but the one kept, with `endsSecrets` also API tokens and ids of campaign setups.
 * Refuses with ERR_NO_USER_FOUND.
 */
export async function setPassword(
  tx: Tx,
  userId: number,
  passwordHash: string,
  ends: { keptSession: string | null; endsSecrets: boolean },
): Promise<User> {
  await lockUser(tx, userId)
  await updateUser(tx, userId, { passwordHash, credentialsAt: now() })
  await tx.involve(credentialsChanged, { userId, ...ends })
  tx.note('a password was changed', { userId })
  return emitChanged(tx, userId, { created: false })
}

/**
 * Sets an e-mail and ends every session but the one kept. Returns the previous one. Refuses with ERR_NO_USER_FOUND,
 * ERR_EMAIL_EXISTS.
 */
export async function setEmail(tx: Tx, userId: number, email: string, keptSession: string | null) {
  await lockUser(tx, userId)
  const { email: previous } = await findUser(tx.sql, tx.companyId, userId)
  await orEmailExists(updateUser(tx, userId, { email, credentialsAt: now() }))
  await tx.involve(credentialsChanged, { userId, keptSession, endsSecrets: false })
  tx.note('an e-mail was changed', { userId })
  const { name } = await emitChanged(tx, userId, { created: false })
  return { previous, name }
}

function columnsOf({
  password: _hashed,
  queueIds: _rows,
  greetingMessage,
  farewellMessage,
  ...columns
}: UserChanges) {
  return {
    ...columns,
    ...(greetingMessage !== undefined && { greetingMessage: greetingMessage ?? '' }),
    ...(farewellMessage !== undefined && { farewellMessage: farewellMessage ?? '' }),
  }
}

async function emitChanged(tx: Tx, userId: number, { created }: { created: boolean }): Promise<User> {
  const user = await findUser(tx.sql, tx.companyId, userId)
  tx.emit(userChanged, { user, created })
  return user
}

const now = () => databaseTime()

const orEmailExists = <T>(work: PromiseLike<T>) =>
  Promise.resolve(work).catch((error: unknown) => {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  })
