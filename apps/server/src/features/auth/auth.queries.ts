import { type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { Claims } from '../../platform/access/access.ts'
import { type Sql, together } from '../../platform/postgres/db.ts'
import { and, type Column, eq, gt, inArray, lt, ne, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { isLockedOut } from '../availability/availability.state.queries.ts'
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
      credentialsAt: users.credentialsAt,
      active: companies.status,
      restingSince: users.restingSince,
      isLockedOut: isLockedOut(users),
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .where(eq(tag`lower(${users.email})`, email.toLowerCase()))
  return account ?? null
}

type Account = NonNullable<Awaited<ReturnType<typeof accountByEmail>>>

/** Whether the credentials are unchanged; locks them until the transaction ends. */
export async function holdCredentials(
  sql: Sql,
  { id, credentialsAt }: Pick<Account, 'id' | 'credentialsAt'>,
): Promise<boolean> {
  const [held] = await sql
    .select({ credentialsAt: users.credentialsAt })
    .from(users)
    .where(eq(users.id, id))
    .for('share')
  return held?.credentialsAt === credentialsAt
}

export type SessionRow = typeof sessions.$inferSelect

/** A session, locked; null when it ended or expired, its user rests or its company is inactive. */
export async function lockLoginSession(sql: Sql, sessionId: string): Promise<SessionRow | null> {
  const [session] = await sql
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId),
        gt(sessions.expiresAt, tag`now()`),
        tag`exists (select from ${companies} c join ${users} u on u.company_id = c.id and u.id = ${sessions.userId}
          where c.id = ${sessions.companyId} and c.status = 1 and u.resting_since is null)`,
      ),
    )
    .for('update')
  return session ?? null
}

export async function insertSession(sql: Sql, fields: typeof sessions.$inferInsert): Promise<SessionRow> {
  const [session] = await sql.insert(sessions).values(fields).returning()
  return session!
}

export async function updateLoginSession(
  sql: Sql,
  id: string,
  fields: Partial<SessionRow>,
): Promise<SessionRow> {
  const [session] = await sql.update(sessions).set(fields).where(eq(sessions.id, id)).returning()
  return session!
}

export const deleteSession = (sql: Sql, id: string) => sql.delete(sessions).where(eq(sessions.id, id))

export const deleteSessionOf = (tx: Tx, userId: number, id: string): Promise<boolean> =>
  deleteOf(tx, userId, eq(sessions.id, id))

export const deleteSessionsOf = (tx: Tx, userId: number, kept: string | null): Promise<boolean> =>
  deleteOf(tx, userId, kept === null ? undefined : ne(sessions.id, kept))

async function deleteOf(tx: Tx, userId: number, which: ReturnType<typeof eq> | undefined) {
  const deleted = await tx.sql
    .delete(sessions)
    .where(and(eq(sessions.companyId, tx.companyId), eq(sessions.userId, userId), which))
    .returning({ id: sessions.id })
  return deleted.length > 0
}

/** The viewers of sessions, in their order; null where the session ended, the user was deleted or the company is inactive. */
export async function viewersOfSessions(sql: Sql, claims: Claims[]): Promise<(Viewer | null)[]> {
  if (claims.length === 0) return []
  const isActive = tag`${users.restingSince} is null
    and exists (select from ${companies} c where c.id = ${users.companyId} and c.status = 1)`
  const userIds = [...new Set(claims.map(({ userId }) => userId))]
  const [living, found] = await together(
    sql,
    () =>
      sql
        .select({ id: sessions.id, userId: sessions.userId })
        .from(sessions)
        .where(
          and(
            isOneOf(
              sessions.id,
              claims.map(({ sessionId }) => sessionId),
            ),
            gt(sessions.expiresAt, tag`now()`),
          ),
        ),
    () => selectUsers(sql, and(isOneOf(users.id, userIds), isActive)),
  )
  const sessionsOf = new Map(living.map(({ id, userId }) => [id, userId]))
  const viewers = new Map(found.map(user => [user.id, viewerFrom(user)]))
  return claims.map(({ sessionId, userId, companyId }) => {
    const viewer = sessionsOf.get(sessionId) === userId ? viewers.get(userId) : undefined
    return viewer?.companyId === companyId ? viewer : null
  })
}

/** A user as a viewer, for work in the user's name; null when deleted, or of an inactive company. */
export async function viewerOfUser(sql: Sql, companyId: number, userId: number): Promise<Viewer | null> {
  const isActive = tag`${users.restingSince} is null
    and exists (select from ${companies} c where c.id = ${companyId} and c.status = 1)`
  const [user] = await selectUsers(sql, and(eq(users.companyId, companyId), eq(users.id, userId), isActive))
  return user ? viewerFrom(user) : null
}

/** `=` for one value: a statement with an array would be planned anew each time (decision 009). */
const isOneOf = <Value>(column: Column, values: Value[]) =>
  values.length === 1 ? eq(column, values[0]) : inArray(column, values)

/** Of users whose hours forbid a login now: sessions that began within them. */
export const sessionsOutsideHours = (sql: Sql): Promise<{ companyId: number; userId: number }[]> =>
  sql
    .selectDistinct({ companyId: sessions.companyId, userId: sessions.userId })
    .from(sessions)
    .innerJoin(users, and(eq(users.companyId, sessions.companyId), eq(users.id, sessions.userId)))
    .where(isLockedOut(users))

export const dropExpired = (sql: Sql) => sql.delete(sessions).where(lt(sessions.expiresAt, tag`now()`))
