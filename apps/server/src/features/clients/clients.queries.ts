import type { ClientCompany } from '@balcao/contract/clients.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists.ts'
import { and, eq, inArray, isNull, type SQL, sql as tag } from '../../platform/sql.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { shownPlan } from '../plans/plans.queries.ts'

/**
 * One page of all companies by name; the search looks at name, company name and e-mail. What stands beside a company is
 * counted for those of the page alone.
 */
export async function listClients(sql: Sql, asked: PageQuery) {
  const words = containing(asked.searchParam, companies.name, companies.companyName, companies.email)
  const found = words ? [firstIn(companies.name, asked.searchParam)] : []
  const { rows, hasMore } = await onePage(asked, (limit, offset) =>
    sql
      .select({ id: companies.id })
      .from(companies)
      .where(and(isNull(companies.leavingAt), words))
      .orderBy(...found, tag`lower(${companies.name})`, companies.id)
      .limit(limit)
      .offset(offset),
  )
  const ids = rows.map(({ id }) => id)
  const shown = await selectClients(sql, inArray(companies.id, ids))
  const byId = new Map(shown.map(row => [row.company.id, toClient(row)]))
  return { companies: ids.flatMap(id => byId.get(id) ?? []), hasMore }
}

/** Refuses with ERR_NO_COMPANY_FOUND. */
export async function findClient(sql: Sql, companyId: number): Promise<ClientCompany> {
  const [row] = await selectClients(sql, eq(companies.id, companyId))
  return row ? toClient(row) : refuse('ERR_NO_COMPANY_FOUND')
}

/** The row, locked. Refuses with ERR_NO_COMPANY_FOUND, also where the company is going. */
export async function lockClient(sql: Sql, companyId: number) {
  const [row] = await sql
    .select()
    .from(companies)
    .where(and(eq(companies.id, companyId), isNull(companies.leavingAt)))
    .for('update')
  return row ?? refuse('ERR_NO_COMPANY_FOUND')
}

const firstUser = tag<string>`coalesce(
  (select u.name from users u where u.company_id = companies.id order by u.id limit 1), '')`
const howMany = (table: 'users' | 'whatsapps') =>
  tag<number>`(select count(*)::int from ${tag.raw(table)} one where one.company_id = companies.id)`

/** By what left: who is taken out of a campaign was written to. */
const sendsOfTheHour = tag<number>`(select count(*)::int from campaign_departures d
  where d.company_id = companies.id and d.at > now() - interval '1 hour')`

const selectClients = (sql: Sql, where: SQL | undefined) =>
  sql
    .select({
      company: companies,
      plan: plans,
      userName: firstUser,
      usedAttendants: howMany('users'),
      usedConnections: howMany('whatsapps'),
      usedSends: sendsOfTheHour,
    })
    .from(companies)
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(and(isNull(companies.leavingAt), where))

type Row = Awaited<ReturnType<typeof selectClients>>[number]

const toClient = ({ company, plan, ...beside }: Row): ClientCompany => ({
  ...company,
  ...beside,
  passwordDefault: '',
  plan: plan ? [shownPlan(plan)] : [],
})

export const updateClient = (sql: Sql, companyId: number, values: Partial<typeof companies.$inferInsert>) =>
  sql.update(companies).set(values).where(eq(companies.id, companyId))
