import type { User } from '@balcao/contract/users.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { passwordChanged, userChanged } from './users.events.ts'
import { findUser, lockUser } from './users.queries.ts'
import { users } from './users.table.ts'

/** What a user logs in with is another than before: every session but the one kept ends. Refuses with ERR_NO_USER_FOUND. */
export async function setPassword(
  tx: Tx,
  userId: number,
  passwordHash: string,
  keptSession: string | null,
): Promise<User> {
  await lockUser(tx, userId)
  await set(tx, userId, { passwordHash })
  await tx.involve(passwordChanged, { userId, keptSession })
  tx.note('a password was changed', { userId })
  return tell(tx, userId)
}

/** Another address logs in. Answers the former one. Refuses with ERR_NO_USER_FOUND, ERR_EMAIL_EXISTS. */
export async function setEmail(tx: Tx, userId: number, email: string) {
  await lockUser(tx, userId)
  const { email: former } = await findUser(tx.sql, tx.companyId, userId)
  try {
    await set(tx, userId, { email })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  }
  const { name } = await tell(tx, userId)
  return { former, name }
}

const set = (tx: Tx, userId: number, to: Partial<typeof users.$inferInsert>) =>
  tx.sql
    .update(users)
    .set({ ...to, updatedAt: new Date().toISOString() })
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))

async function tell(tx: Tx, userId: number): Promise<User> {
  const user = await findUser(tx.sql, tx.companyId, userId)
  tx.emit(userChanged, { user, created: false })
  return user
}
