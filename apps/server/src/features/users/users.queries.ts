import type { PageQuery } from '@balcao/contract/kit.ts'
import { DEFAULT_GREETING, type User } from '@balcao/contract/users.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { shownCompany } from '../companies/companies.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { toAuthorization } from '../permissions/permissions.queries.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'
import { readBy } from './users.rules.ts'
import { formerUsers, userQueues, users } from './users.table.ts'

/** Users with all that is stored of them: `readBy` (users.rules) hides from a reader what is not theirs to read. */
export async function selectUsers(
  sql: Sql,
  where: SQL | undefined,
  page?: { limit: number; offset: number },
): Promise<User[]> {
  const query = sql
    .select({
      user: users,
      group: userAuthorizations,
      company: companies,
      plan: plans,
      queues: queuesOfUser,
      whatsapp: connectionOfUser,
    })
    .from(users)
    .innerJoin(companies, eq(companies.id, users.companyId))
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .leftJoin(
      userAuthorizations,
      and(
        eq(userAuthorizations.companyId, users.companyId),
        eq(userAuthorizations.id, users.userAuthorizationId),
      ),
    )
    .where(where)
    .orderBy(tag`folded(${users.name})`, users.id)
  const rows = await (page ? query.limit(page.limit).offset(page.offset) : query)
  return rows.map(toUser)
}

const queuesOfUser = tag<User['queues']>`(
  select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by folded(q.name)), '[]')
  from user_queues uq join queues q on q.company_id = uq.company_id and q.id = uq.queue_id
  where uq.company_id = ${users.companyId} and uq.user_id = ${users.id})`

const connectionOfUser = tag<User['whatsapp']>`(
  select json_build_object('id', w.id, 'name', w.name) from whatsapps w
  where w.company_id = ${users.companyId} and w.id = ${users.whatsappId})`

type Row = {
  user: typeof users.$inferSelect
  group: typeof userAuthorizations.$inferSelect | null
  company: typeof companies.$inferSelect
  plan: typeof plans.$inferSelect | null
  queues: User['queues']
  whatsapp: User['whatsapp']
}

function toUser({ user, group, company, plan, queues, whatsapp }: Row): User {
  const { passwordHash: _hash, credentialsAt: _at, ...own } = user
  return {
    ...own,
    queues,
    queueIds: queues.map(queue => queue.id),
    whatsapp,
    userAuthorization: group && toAuthorization(group),
    company: shownCompany(company, plan),
  }
}

/** Refuses with ERR_NO_USER_FOUND. */
export async function findUser(sql: Sql, companyId: number, userId: number): Promise<User> {
  const [user] = await selectUsers(sql, and(eq(users.companyId, companyId), eq(users.id, userId)))
  return user ?? refuse('ERR_NO_USER_FOUND')
}

export const listUsers = (scope: Scope, query: PageQuery) =>
  scope.list(async tx => {
    const where = and(
      eq(users.companyId, tx.companyId),
      containing(query.searchParam, users.name, users.email),
    )
    const { rows, hasMore } = await onePage(query, (limit, offset) =>
      selectUsers(tx.sql, where, { limit, offset }),
    )
    return { users: rows.map(row => readBy(viewerOf(tx), row)), hasMore }
  })

export const allUsers = (scope: Scope) =>
  scope.read(tx => selectUsers(tx.sql, eq(users.companyId, tx.companyId)))

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

/** Whether any user of the company who does not rest, besides this one, may administrate: the rule `administration` of permissions.rules. */
export async function hasAdministrator(tx: Tx, besides = 0): Promise<boolean> {
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`select 1 from users u left join user_authorizations a on a.company_id = u.company_id and a.id = u.user_authorization_id
      where u.company_id = ${tx.companyId} and (u.profile = 'admin' or u.master = 1) and coalesce(a.enable_administration, 1) = 1
        and u.id <> ${besides} and u.resting_since is null
      limit 1`,
  )
  return rows.length > 0
}

const inQueue = (queueId: number): SQL =>
  tag`${users.id} in (select ${userQueues.userId} from ${userQueues} where ${userQueues.companyId} = ${users.companyId} and ${userQueues.queueId} = ${queueId})`

/** Locks a connection; false when there is none, or it is being removed. By table name: `users` is below `connections`. */
export async function holdConnection(tx: Tx, whatsappId: number): Promise<boolean> {
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`select 1 from whatsapps where company_id = ${tx.companyId} and id = ${whatsappId}
      and status <> 'REMOVING' for share`,
  )
  return rows.length > 0
}

export async function defaultConnectionId(tx: Tx): Promise<number | null> {
  const rows = await rowsFrom<{ id: number }>(
    tx.sql,
    tag`select id from whatsapps where company_id = ${tx.companyId} and is_default`,
  )
  return rows[0]?.id ?? null
}

/** The greeting sent when a user accepts a ticket: their own text or the default; null when disabled. */
export async function greetingOf(tx: Tx, userId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ text: users.greetingMessage })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId), eq(users.enableGreeting, true)))
  return row ? row.text.trim() || DEFAULT_GREETING : null
}

type Columns = typeof users.$inferInsert

export async function insertUser(tx: Tx, columns: Omit<Columns, 'companyId'>): Promise<number> {
  const [row] = await tx.sql
    .insert(users)
    .values({ ...columns, companyId: tx.companyId })
    .returning({ id: users.id })
  return row!.id
}

/** The first admins of a company. */
export const firstAdminsIn = (sql: Sql, companyId: number) =>
  sql
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.companyId, companyId), eq(users.profile, 'admin')))
    .orderBy(users.id)
    .limit(5)

/** The first user of a new company: its admin, with the finance panel. */
export async function addFirstAdmin(
  sql: Sql,
  account: { companyId: number; name: string; email: string; passwordHash: string },
) {
  const [user] = await sql
    .insert(users)
    .values({ ...account, profile: 'admin', payPanelAccess: true })
    .returning({ id: users.id, name: users.name, email: users.email })
  return user!
}

export const updateUser = (tx: Tx, userId: number, columns: Partial<Columns>) =>
  tx.sql
    .update(users)
    .set({ ...columns, updatedAt: databaseTime() })
    .where(byId(tx, userId))

/** Deletes a user, and keeps the name for the history of tickets. */
export async function deleteUser(tx: Tx, userId: number): Promise<void> {
  const left = await tx.sql
    .delete(users)
    .where(byId(tx, userId))
    .returning({ id: users.id, name: users.name })
  const rows = left.map(one => ({ ...one, companyId: tx.companyId }))
  if (rows.length > 0) await tx.sql.insert(formerUsers).values(rows)
}

/** Locks a user against deletion; false when there is none. */
export async function holdUser(tx: Tx, userId: number): Promise<boolean> {
  const [row] = await tx.sql.select({ id: users.id }).from(users).where(byId(tx, userId)).for('share')
  return row !== undefined
}

export async function setUserQueues(tx: Tx, userId: number, queueIds: number[]) {
  await tx.sql
    .delete(userQueues)
    .where(and(eq(userQueues.companyId, tx.companyId), eq(userQueues.userId, userId)))
  const rows = [...new Set(queueIds)].map(queueId => ({ companyId: tx.companyId, userId, queueId }))
  if (rows.length > 0) await tx.sql.insert(userQueues).values(rows)
}

/** The group or the connection of users. */
export type UserReference = { userAuthorizationId: number } | { whatsappId: number }

export const usersWith = (tx: Tx, reference: UserReference | { queueId: number }) =>
  usersWhere(tx, 'queueId' in reference ? inQueue(reference.queueId) : refersTo(reference))

/** Removes a deleted group or connection from users; returns them. */
export async function clearReference(tx: Tx, reference: UserReference): Promise<User[]> {
  const [name] = Object.keys(reference)
  const rows = await tx.sql
    .update(users)
    .set({ [name!]: null })
    .where(and(eq(users.companyId, tx.companyId), refersTo(reference)))
    .returning({ id: users.id })
  return usersById(tx, rows)
}

const refersTo = (reference: UserReference) =>
  'whatsappId' in reference
    ? eq(users.whatsappId, reference.whatsappId)
    : eq(users.userAuthorizationId, reference.userAuthorizationId)

/** Removes a deleted queue from users; returns those who had it. */
export async function removeQueueFromUsers(tx: Tx, queueId: number): Promise<User[]> {
  const rows = await tx.sql
    .delete(userQueues)
    .where(and(eq(userQueues.companyId, tx.companyId), eq(userQueues.queueId, queueId)))
    .returning({ id: userQueues.userId })
  return usersById(tx, rows)
}

const usersById = (tx: Tx, rows: { id: number }[]) =>
  usersWhere(
    tx,
    inArray(
      users.id,
      rows.map(({ id }) => id),
    ),
  )

export const usersWhere = (tx: Tx, where?: SQL): Promise<User[]> =>
  selectUsers(tx.sql, and(eq(users.companyId, tx.companyId), where))

export const usersByIds = (tx: Tx, userIds: number[]): Promise<User[]> =>
  usersWhere(tx, inArray(users.id, userIds))

const byId = (tx: Tx, userId: number) => and(eq(users.companyId, tx.companyId), eq(users.id, userId))
