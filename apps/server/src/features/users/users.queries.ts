import type { PageQuery } from '@balcao/contract/kit.ts'
import { may, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { DEFAULT_GREETING, type User } from '@balcao/contract/users.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, onePage } from '../../platform/lists.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, rowsFrom, type SQL, sql as tag } from '../../platform/sql.ts'
import { shownCompany } from '../companies/companies.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { toAuthorization } from '../permissions/permissions.queries.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'
import { userQueues, users } from './users.table.ts'

/** Users with their queues, group, connection and company, by name; one statement however many. */
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
  company: typeof companies.$inferSelect
  plan: typeof plans.$inferSelect | null
  queues: User['queues']
  whatsapp: User['whatsapp']
}

function toUser({ user, group, company, plan, queues, whatsapp }: Row): User {
  const { passwordHash: _never, ...own } = user
  const shown = {
    ...own,
    queues,
    queueIds: queues.map(queue => queue.id),
    whatsapp,
    userAuthorization: group && toAuthorization(group),
    company: shownCompany(company, plan),
  }
  // what a company owes is no news for everybody
  if (!may(viewerFrom(shown), 'payPanel')) shown.company.payBy = null
  return shown
}

/** Refuses with ERR_NO_USER_FOUND. */
export async function findUser(sql: Sql, companyId: number, userId: number): Promise<User> {
  const [user] = await selectUsers(sql, and(eq(users.companyId, companyId), eq(users.id, userId)))
  return user ?? refuse('ERR_NO_USER_FOUND')
}

/** One page of users by name; the search looks at name and e-mail. */
export const listUsers = (scope: Scope, asked: PageQuery) =>
  scope.list(async tx => {
    const where = and(
      eq(users.companyId, tx.companyId),
      containing(asked.searchParam, users.name, users.email),
    )
    const { rows, hasMore } = await onePage(asked, (limit, offset) =>
      selectUsers(tx.sql, where, { limit, offset }),
    )
    return { users: rows, hasMore }
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

/** True when somebody of the company may administrate, by the rule `administration` of permissions.rules. */
export async function hasAdministrator(tx: Tx): Promise<boolean> {
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`select 1 from users u left join user_authorizations a on a.company_id = u.company_id and a.id = u.user_authorization_id
      where u.company_id = ${tx.companyId} and (u.profile = 'admin' or u.master = 1) and coalesce(a.enable_administration, 1) = 1
      limit 1`,
  )
  return rows.length > 0
}

/** Users of one queue, as a condition. */
export const inQueue = (queueId: number): SQL =>
  tag`${users.id} in (select ${userQueues.userId} from ${userQueues} where ${userQueues.companyId} = ${users.companyId} and ${userQueues.queueId} = ${queueId})`

/** False when there is none. Users come before connections, so this asks the table by its name. */
export async function holdConnection(tx: Tx, whatsappId: number): Promise<boolean> {
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`select 1 from whatsapps where company_id = ${tx.companyId} and id = ${whatsappId} for key share`,
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

/** What a user lets the house say when he takes a ticket up: his own words or the usual ones; null when nothing. */
export async function greetingOf(tx: Tx, userId: number): Promise<string | null> {
  const [row] = await tx.sql
    .select({ text: users.greetingMessage })
    .from(users)
    .where(and(eq(users.companyId, tx.companyId), eq(users.id, userId), eq(users.enableGreeting, true)))
  return row ? row.text.trim() || DEFAULT_GREETING : null
}
