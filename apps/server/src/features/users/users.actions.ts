import type { User, UserInput } from '@balcao/contract/users.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { lockAdministration } from '../permissions/permissions.queries.ts'
import {
  changesOf,
  refuseFlags,
  refuseForeignUser,
  refuseIncomplete,
  refuseWithoutAdmin,
  touchesAdministration,
  type UserChanges,
  userIdsInCompany,
} from './users.checks.ts'
import { withDefaults } from './users.defaults.ts'
import { passwordChanged, userChanged, userLeaving, userRemoved } from './users.events.ts'
import { findUser, lockUser } from './users.queries.ts'
import { refuseWithoutSeat, setQueues } from './users.seats.ts'
import { users } from './users.table.ts'

/**
 * Adds a user within the plan. Refuses with ERR_NO_COMPANY_PLAN, ERR_NO_LIMIT_USER, ERR_EMAIL_EXISTS,
 * ERR_NO_PERMISSION for flags that are not the creator's to give, ERR_BAD_REQUEST for what is missing.
 */
export async function addUser(scope: Scope, input: UserInput): Promise<User> {
  const me = viewerOf(scope)
  if (!input.password) return refuse('ERR_BAD_REQUEST', { field: 'password', message: 'Required' })
  refuseFlags(me, { payPanelAccess: input.payPanelAccess || undefined, master: input.master || undefined })
  const passwordHash = await hashPassword(input.password, `user ${me.id}`)
  return orTaken(
    scope.transaction(async tx => {
      await refuseWithoutSeat(tx)
      const given = me.master === 1 ? input : await withDefaults(tx, input)
      if (me.master !== 1) refuseIncomplete(given)
      await userIdsInCompany(tx, given)
      const [row] = await tx.sql
        .insert(users)
        .values({
          ...columnsOf(given),
          name: given.name,
          email: given.email,
          companyId: tx.companyId,
          passwordHash,
        })
        .returning({ id: users.id })
      await setQueues(tx, row!.id, given.queueIds ?? [])
      return emitChanged(tx, row!.id, true)
    }),
  )
}

/**
 * Changes a user: everybody his own preferences, administrators the rest. A new password ends the user's
 * sessions. Refuses with ERR_NO_USER_FOUND, ERR_NO_PERMISSION and the field, ERR_EMAIL_EXISTS,
 * ERR_LAST_ADMIN.
 */
export async function changeUser(scope: Scope, userId: number, input: UserChanges): Promise<User> {
  const me = viewerOf(scope)
  const passwordHash = input.password ? await hashPassword(input.password, `user ${me.id}`) : undefined
  return orTaken(
    scope.transaction(async tx => {
      if (touchesAdministration(input)) await lockAdministration(tx)
      await lockUser(tx, userId)
      const before = await findUser(tx.sql, tx.companyId, userId)
      const changes = changesOf(before, input)
      refuseForeignUser(me, before, changes)
      await userIdsInCompany(tx, changes)
      await tx.sql
        .update(users)
        .set({ ...columnsOf(changes), ...(passwordHash && { passwordHash }), updatedAt: now() })
        .where(own(tx, userId))
      if (touchesAdministration(changes))
        await refuseWithoutAdmin(tx, changes.profile ? 'profile' : 'userAuthorizationId')
      if (changes.queueIds) await setQueues(tx, userId, changes.queueIds)
      if (passwordHash) await tx.involve(passwordChanged, { userId, keptSession: null })
      return emitChanged(tx, userId, false)
    }),
  )
}

/**
 * Removes a user with its sessions; open tickets go back to pending (OP-70). Nobody removes himself, nor the last
 * one who can give rights back (ERR_LAST_ADMIN).
 */
export const removeUser = (scope: Scope, userId: number) =>
  scope.transaction(async tx => {
    const me = viewerOf(scope)
    await lockAdministration(tx)
    await lockUser(tx, userId)
    const { master } = await findUser(tx.sql, tx.companyId, userId)
    if (userId === me.id) refuse('ERR_NO_PERMISSION', { field: 'userId' })
    if (master === 1 && me.master !== 1) refuse('ERR_NO_PERMISSION')
    await tx.involve(userLeaving, { userId })
    await tx.sql.delete(users).where(own(tx, userId))
    await refuseWithoutAdmin(tx, 'userId')
    tx.emit(userRemoved, { userId })
  })

/** The part of an input that is the user's row. */
function columnsOf({ password: _hashed, queueIds: _rows, greetingMessage, ...columns }: UserChanges) {
  return {
    ...columns,
    ...(greetingMessage !== undefined && { greetingMessage: greetingMessage ?? '' }),
  }
}

async function emitChanged(tx: Tx, userId: number, created: boolean): Promise<User> {
  const user = await findUser(tx.sql, tx.companyId, userId)
  tx.emit(userChanged, { user, created })
  return user
}

const own = (tx: Tx, userId: number) => and(eq(users.companyId, tx.companyId), eq(users.id, userId))
const now = () => new Date().toISOString()

const orTaken = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  })
