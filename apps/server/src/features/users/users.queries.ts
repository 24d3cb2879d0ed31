import { PAGE } from '@balcao/contract/kit.ts'
import { DEFAULT_GREETING, type SessionUser, type User } from '@balcao/contract/users.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, or, type SQL, sql as tag } from '../../platform/sql.ts'
import { sessionCompany } from '../companies/companies.queries.ts'
import { toAuthorization } from '../permissions/permissions.queries.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'
import { userQueues, users } from './users.table.ts'

/** Users with their queues, group and connection, by name; one statement however many. */
export async function selectUsers(
  sql: Sql,
  where: SQL | undefined,
  page?: { limit: number; offset: number },
): Promise<User[]> {
  const query = sql
    .select({ user: users, group: userAuthorizations, queues: queuesOfUser, whatsapp: connectionOfUser })
    .from(users)
    .leftJoin(
      userAuthorizations,
      and(
        eq(userAuthorizations.companyId, users.companyId),
        eq(userAuthorizations.id, users.userAuthorizationId),
      ),
    )
    .where(where)
    .orderBy(tag`lower(${users.name})`, users.id)
  const rows = await (page ? query.limit(page.limit).offset(page.offset) : query)
  return rows.map(toUser)
}

const queuesOfUser = tag<User['queues']>`(
  select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by lower(q.name)), '[]')
  from user_queues uq join queues q on q.company_id = uq.company_id and q.id = uq.queue_id
  where uq.company_id = ${users.companyId} and uq.user_id = ${users.id})`

const connectionOfUser = tag<User['whatsapp']>`(
  select json_build_object('id', w.id, 'name', w.name) from whatsapps w
  where w.company_id = ${users.companyId} and w.id = ${users.whatsappId})`

type Row = {
  user: typeof users.$inferSelect
  group: typeof userAuthorizations.$inferSelect | null
  queues: User['queues']
  whatsapp: User['whatsapp']
}

function toUser({ user, group, queues, whatsapp }: Row): User {
  const { passwordHash: _never, ...shown } = user
  return { ...shown, queues, whatsapp, userAuthorization: group && toAuthorization(group) }
}

/** The logged-in user's record with its company. Refuses with ERR_NO_USER_FOUND. */
export async function sessionUser(sql: Sql, companyId: number, userId: number): Promise<SessionUser> {
  const [user] = await selectUsers(sql, and(eq(users.companyId, companyId), eq(users.id, userId)))
  const company = user && (await sessionCompany(sql, companyId))
  if (!user || !company) return refuse('ERR_NO_USER_FOUND')
  return { ...user, company }
}

/** One page of users by name; the search looks at name and e-mail. */
export const listUsers = (
  scope: Scope,
  { searchParam = '', pageNumber = 1 }: { searchParam?: string; pageNumber?: number },
) =>
  scope.read(async tx => {
    const where = and(eq(users.companyId, tx.companyId), named(searchParam))
    const rows = await selectUsers(tx.sql, where, { limit: PAGE + 1, offset: (pageNumber - 1) * PAGE })
    return { users: rows.slice(0, PAGE), hasMore: rows.length > PAGE }
  })

export const allUsers = (scope: Scope) =>
  scope.read(tx => selectUsers(tx.sql, eq(users.companyId, tx.companyId)))

function named(searchParam: string): SQL | undefined {
  const term = searchParam.trim().toLowerCase()
  if (!term) return undefined
  const like = `%${term.replace(/[\\%_]/g, found => `\\${found}`)}%`
  return or(tag`lower(${users.name}) like ${like}`, tag`lower(${users.email}) like ${like}`)
}

/** The row, locked until the transaction ends. Refuses with ERR_NO_USER_FOUND. */
export async function lockUser(tx: Tx, userId: number) {
  const [row] = await tx.sql
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId)))
    .for('update')
  return row ?? refuse('ERR_NO_USER_FOUND')
}

export async function countUsers(tx: Tx): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(users)
    .where(eq(users.companyId, tx.companyId))
  return row?.count ?? 0
}

/** Users of one queue, as a condition. */
export const inQueue = (queueId: number): SQL =>
  tag`${users.id} in (select ${userQueues.userId} from ${userQueues} where ${userQueues.companyId} = ${users.companyId} and ${userQueues.queueId} = ${queueId})`

/** Users come before connections, so this asks the table by its name. */
export async function connectionExists(tx: Tx, whatsappId: number): Promise<boolean> {
  const { rows } = (await tx.sql.execute(
    tag`select 1 from whatsapps where company_id = ${tx.companyId} and id = ${whatsappId}`,
  )) as unknown as { rows: unknown[] }
  return rows.length > 0
}

export async function defaultConnectionId(tx: Tx): Promise<number | null> {
  const { rows } = (await tx.sql.execute(
    tag`select id from whatsapps where company_id = ${tx.companyId} and is_default`,
  )) as unknown as { rows: { id: number }[] }
  return rows[0]?.id ?? null
}

/** What a user lets the house say when he takes a ticket up: his own words or the usual ones; null when nothing. */
export async function greetingOf(tx: Tx, userId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ text: users.greetingMessage })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId), eq(users.enableGreeting, true)))
  return row ? row.text.trim() || DEFAULT_GREETING : null
}
