import type { OwnSession } from '@balcao/contract/accounts.ts'
import type { Sql } from '../../platform/db.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, desc, eq, gt, lt, sql as tag } from '../../platform/sql.ts'
import { sessions } from '../auth/auth.table.ts'
import { users } from '../users/users.table.ts'
import { accountLinks } from './accounts.table.ts'

/** Nobody is logged in at more places than he can look through. */
const MOST_SESSIONS = 100

export type AccountLink = typeof accountLinks.$inferSelect

/** A link that is still good, by its id alone: whoever follows it has no session. */
export async function livingLink(
  sql: Sql,
  id: string,
  purpose: AccountLink['purpose'],
): Promise<AccountLink | null> {
  const [link] = await sql
    .select()
    .from(accountLinks)
    .where(
      and(eq(accountLinks.id, id), eq(accountLinks.purpose, purpose), gt(accountLinks.expiresAt, tag`now()`)),
    )
  return link ?? null
}

/** What a user logs in with. */
export async function credentialsOf(tx: Tx, userId: number) {
  const [row] = await tx.sql
    .select({ email: users.email, name: users.name, passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))
  return row ?? null
}

/** Where a user is logged in, the latest first. */
export const sessionsOf = (scope: Scope, userId: number, current: string | null): Promise<OwnSession[]> =>
  scope.read(async tx => {
    const rows = await tx.sql
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.companyId, tx.companyId),
          eq(sessions.userId, userId),
          gt(sessions.expiresAt, tag`now()`),
        ),
      )
      .orderBy(desc(sessions.rotatedAt))
      .limit(MOST_SESSIONS)
    return rows.map(({ id, userAgent, ip, createdAt, rotatedAt }) => ({
      id,
      userAgent,
      ip,
      createdAt,
      lastSeenAt: rotatedAt,
      isCurrent: id === current,
    }))
  })

export const dropOldLinks = (sql: Sql) =>
  sql.delete(accountLinks).where(lt(accountLinks.expiresAt, tag`now()`))
