import type { ClientCompany } from '@balcao/contract/clients.ts'
import type { PageQuery } from '@balcao/contract/kit.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { keyedPage, type PageStart, pageKeysOf } from '../../platform/lists/page-keys.ts'
import type { HasMemory } from '../../platform/memory.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import {
  and,
  eq,
  inArray,
  isNotNull,
  isNull,
  rowsFrom,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { companiesLike } from '../companies/companies.search.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { shownPlan } from '../plans/plans.queries.ts'

interface Position {
  words: string
  id: number
}

const keysOf = pageKeysOf<Position>()

/**
 * One page of all companies by name; the search looks at name, company name and e-mail, and what it finds in the name comes first.
 * The counts beside a company are computed for those of the page alone.
 */
export async function listClients(
  { memory }: HasMemory,
  sql: Sql,
  { limits, ...asked }: PageQuery & { limits?: 'exceeded' | undefined },
) {
  const text = asked.searchParam?.trim() ?? ''
  const { rows, hasMore } =
    text || limits
      ? await onePage(asked, (limit, offset) => foundClients(sql, text, { limits, limit, offset }))
      : await keyedPage(keysOf({ memory }), 'all', asked, {
          read: start => clientsAfter(sql, start),
          keyOf: ({ words, id }) => ({ words, id }),
        })
  const ids = rows.map(({ id }) => id)
  const shown = ids.length > 0 ? await selectClients(sql, inArray(companies.id, ids)) : []
  const byId = new Map(shown.map(row => [row.company.id, toClient(row)]))
  return { companies: ids.flatMap(id => byId.get(id) ?? []), hasMore }
}

const clientsAfter = (sql: Sql, { after, offset, limit }: PageStart<Position>) =>
  sql
    .select({ id: companies.id, words: companies.words })
    .from(companies)
    .where(
      and(
        isNull(companies.leavingAt),
        after ? tag`(${companies.words}, ${companies.id}) > (${after.words}, ${after.id}::int)` : undefined,
      ),
    )
    .orderBy(companies.words, companies.id)
    .limit(limit)
    .offset(offset)

function foundClients(
  sql: Sql,
  searchParam: string,
  { limits, limit, offset }: { limits: 'exceeded' | undefined; limit: number; offset: number },
) {
  const { id, words } = companies
  return sql
    .select({ id })
    .from(companies)
    .where(and(isNull(companies.leavingAt), companiesLike(searchParam), limits && isOverLimits))
    .orderBy(
      tag`nullif(position(${folded(searchParam.trim())} in split_part(${words}, E'\n', 1)), 0)`,
      words,
      id,
    )
    .limit(limit)
    .offset(offset)
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
/** How many it has, and how many of them rest. */
const howMany = (table: 'users' | 'whatsapps') =>
  tag<
    [number, number]
  >`(select json_build_array(count(*), count(one.resting_since)) from ${tag.raw(table)} one
    where one.company_id = companies.id)`

const isResting = (table: 'users' | 'whatsapps') =>
  tag`exists (select from ${tag.raw(table)} one where one.company_id = companies.id and one.resting_since is not null)`

const isOverLimits = tag`(companies.limits_by is not null or ${isResting('users')} or ${isResting('whatsapps')})`

/** By messages sent: who was removed from a campaign meanwhile was written to. */
const sendsOfTheHour = tag<number>`(select count(*)::int from campaign_departures d
  where d.company_id = companies.id and d.at > now() - interval '1 hour')`

const selectClients = (sql: Sql, where: SQL | undefined) =>
  sql
    .select({
      company: companies,
      plan: plans,
      userName: firstUser,
      users: howMany('users'),
      connections: howMany('whatsapps'),
      usedSends: sendsOfTheHour,
    })
    .from(companies)
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(and(isNull(companies.leavingAt), where))

type Row = Awaited<ReturnType<typeof selectClients>>[number]

const toClient = ({ company, plan, users, connections, ...beside }: Row): ClientCompany => ({
  ...company,
  ...beside,
  usedAttendants: users[0],
  usedConnections: connections[0],
  resting: users[1] + connections[1],
  passwordDefault: '',
  plan: plan ? [shownPlan(plan)] : [],
})

export const updateClient = (sql: Sql, companyId: number, values: Partial<typeof companies.$inferInsert>) =>
  sql.update(companies).set(values).where(eq(companies.id, companyId))

export const leavingCompanies = (sql: Sql, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: companies.id })
    .from(companies)
    .where(and(isLeaving, outside(companies.id, passed), noLease, nothingToAsk))
    .orderBy(companies.leavingAt)
    .limit(most)

/** One that arrives is hidden in the same way, and stays. */
const isLeaving = and(isNotNull(companies.leavingAt), tag`${companies.arrival} is distinct from 'coming'`)

/** Until the leases of its connections end they still write. */
const noLease = tag`not exists (
  select from whatsapp_leases l where l.company_id = companies.id and l.expires_at > now())`

/**
 * Charges and authorizations are cancelled at the provider first, and it is asked for the refunds that masters want; a provider that
 * does not answer is awaited for a day.
 */
const nothingToAsk = tag`(companies.leaving_at <= now() - interval '1 day' or (not exists (
  select from charges c where c.company_id = companies.id and c.state in ('wanted', 'open', 'unwanted')
    and (c.charge_id is not null or c.attempts > 0))
  and not exists (
    select from autopay_ways w where w.company_id = companies.id and w.kind = 'pix' and w.state <> 'ended'
      and w.provider <> '')
  and not exists (
    select from payment_refunds r where r.company_id = companies.id and r.state = 'wanted')))`

/** False where it is not being deleted or is deleted already, another transaction has locked it, or a provider is to be asked. */
export async function lockLeaving(sql: Sql, companyId: number): Promise<boolean> {
  const [row] = await sql
    .select({ id: companies.id })
    .from(companies)
    .where(and(eq(companies.id, companyId), isLeaving, nothingToAsk))
    .for('update', { skipLocked: true })
  return row !== undefined
}

/** Whether it never arrived completely: no past month has anything of it. */
export async function isAbandoned(sql: Sql, companyId: number): Promise<boolean> {
  const [row] = await sql
    .select({ arrival: companies.arrival })
    .from(companies)
    .where(eq(companies.id, companyId))
  return row?.arrival === 'abandoned'
}

export const deleteClient = (sql: Sql, companyId: number) =>
  sql.delete(companies).where(eq(companies.id, companyId))

export interface Reference {
  child: string
  parent: string
}

/** Every table with a company and every foreign key, from the database's catalogue. */
export async function tenantTables(sql: Sql): Promise<{ names: string[]; references: Reference[] }> {
  const named = await rowsFrom<{ name: string }>(
    sql,
    tag`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'company_id' and not a.attisdropped order by 1`,
  )
  const references = await rowsFrom<Reference>(
    sql,
    tag`select distinct child.relname as child, parent.relname as parent from pg_constraint k
     join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
     where k.contype = 'f' and child.oid <> parent.oid`,
  )
  return { names: named.map(({ name }) => name), references }
}

/** Deletes at most `most` rows of a table, all where it is null; answers how many. */
export async function deleteSome(
  sql: Sql,
  table: string,
  companyId: number,
  most: number | null,
): Promise<number> {
  const name = tag.identifier(table)
  const rows = await rowsFrom<{ many: number }>(
    sql,
    tag`with gone as (
      delete from ${name} where (tableoid, ctid) in (
        select tableoid, ctid from ${name} where company_id = ${companyId} limit ${most}) returning 1
    ) select count(*)::int as many from gone`,
  )
  return rows[0]!.many
}

/** Counts in every table what is left of a company, before the commit. Throws where anything is. */
export async function proveGone(sql: Sql, tables: string[], companyId: number): Promise<void> {
  const counts = tables.map(
    table =>
      tag`select ${table}::text as name, count(*)::int as many from ${tag.identifier(table)} where company_id = ${companyId}`,
  )
  const left = await rowsFrom<{ name: string; many: number }>(
    sql,
    tag`select * from (${tag.join(counts, tag` union all `)}) as counted where many > 0`,
  )
  if (left.length > 0) throw new Error(`rows of company ${companyId} are left: ${JSON.stringify(left)}`)
}

export const deleteJobsOf = (sql: Sql, companyId: number) =>
  sql.execute(tag`delete from pgboss.job where data->>'companyId' = ${String(companyId)}`)
