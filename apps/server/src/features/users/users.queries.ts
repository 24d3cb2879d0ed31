import type { SessionUser, User } from '@balcao/contract/users.ts'
import { and, eq, type SQL, sql as tag } from 'drizzle-orm'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { sessionCompany } from '../companies/companies.queries.ts'
import { toAuthorization } from '../permissions/permissions.queries.ts'
import { userAuthorizations } from '../permissions/permissions.table.ts'
import { users } from './users.table.ts'

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
