import type { OwnSession } from '@balcao/contract/accounts.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, gt, lt, sql as tag } from '../../platform/postgres/sql.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { sessions } from '../auth/auth.table.ts'
import { users } from '../users/users.table.ts'
import { accountLinks } from './accounts.table.ts'

const MOST_SESSIONS = 100

export type AccountLink = typeof accountLinks.$inferSelect

export type NewLink = Pick<AccountLink, 'userId' | 'purpose' | 'language'> & {
  email?: string
  sessionId?: string | null
}

/** A valid link; by id alone, since its request has no session. */
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

export async function credentialsOf(tx: Tx, userId: number) {
  const [row] = await tx.sql
    .select({ email: users.email, name: users.name, passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))
  return row ?? null
}

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

export async function insertLink(sql: Sql, companyId: number, link: NewLink, hours: number): Promise<string> {
  const expiresAt = new Date(databaseNow() + hours * 3_600_000).toISOString()
  const [row] = await sql
    .insert(accountLinks)
    .values({ ...link, companyId, expiresAt })
    .returning({ id: accountLinks.id })
  return row!.id
}

export async function deleteLink(tx: Tx, id: string): Promise<boolean> {
  const deleted = await tx.sql
    .delete(accountLinks)
    .where(and(eq(accountLinks.companyId, tx.companyId), eq(accountLinks.id, id)))
    .returning({ id: accountLinks.id })
  return deleted.length > 0
}

export const deleteLinksOf = (tx: Tx, userId: number, purpose?: AccountLink['purpose']) =>
  tx.sql
    .delete(accountLinks)
    .where(
      and(
        eq(accountLinks.companyId, tx.companyId),
        eq(accountLinks.userId, userId),
        purpose && eq(accountLinks.purpose, purpose),
      ),
    )
