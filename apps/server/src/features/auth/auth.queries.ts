import { type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { Claims } from '../../platform/access.ts'
import type { Sql } from '../../platform/db.ts'
import { and, eq, gt, lt, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { selectUsers } from '../users/users.queries.ts'
import { users } from '../users/users.table.ts'
import { sessions } from './auth.table.ts'

export async function accountByEmail(sql: Sql, email: string) {
  const [account] = await sql
    .select({
      id: users.id,
      companyId: users.companyId,
      passwordHash: users.passwordHash,
      active: companies.status,
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(eq(tag`lower(${users.email})`, email.toLowerCase()))
  return account ?? null
}

export type SessionRow = typeof sessions.$inferSelect

/** A session that may go on, locked; null when it ended or expired, or its company is switched off. */
export async function livingSession(sql: Sql, sessionId: string): Promise<SessionRow | null> {
  const [session] = await sql
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId),
        gt(sessions.expiresAt, tag`now()`),
        tag`exists (select from ${companies} c where c.id = ${sessions.companyId} and c.status = 1)`,
      ),
    )
    .for('update')
  return session ?? null
}

/** Null when the session was ended, the user deleted or the company switched off. */
export async function viewerOfSession(sql: Sql, claims: Claims): Promise<Viewer | null> {
  const [user] = await selectUsers(
    sql,
    and(
      eq(users.companyId, claims.companyId),
      eq(users.id, claims.userId),
      tag`exists (select from ${sessions} s where s.id = ${claims.sessionId} and s.user_id = ${claims.userId} and s.expires_at > now())`,
      tag`exists (select from ${companies} c where c.id = ${claims.companyId} and c.status = 1)`,
    ),
  )
  return user ? viewerFrom(user) : null
}

export const dropExpired = (sql: Sql) => sql.delete(sessions).where(lt(sessions.expiresAt, tag`now()`))
