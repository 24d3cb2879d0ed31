import type { Added } from '@balcao/contract/campaignPeople.ts'
import type { Recipients } from '@balcao/contract/campaignShapes.ts'
import { refuse } from '../../../platform/errors.ts'
import {
  and,
  asc,
  eq,
  getTableColumns,
  rowsFrom,
  type SQL,
  sql as tag,
} from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { endOf, startOf } from '../../companies/companies.queries.ts'
import { findSheet } from '../../contactSheets/contactSheets.queries.ts'
import { isOptedOut } from '../../optOuts/optOuts.queries.ts'
import { campaignDispatches } from '../campaigns.table.ts'

export type Counted = Pick<Added, 'added' | 'doubled' | 'optedOut'>

export const rowsGiven = (rows: object[]): SQL => tag`
  select row_number() over () as place, g.name, g.number, g.key, g.row_values, null::int as contact_id
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(name text, number text, key text, row_values jsonb)`

/** One statement for all rows of a large sheet would run into the time limit of statements on a busy machine. */
const SHEET_ROWS = 20_000

/**
 * Rows of a sheet, some thousand a source; its columns are values of the texts. A wrong name or e-mail excludes no row that
 * has a number. Refuses with ERR_SHEET_NOT_READY.
 */
export async function fromSheet(tx: Tx, sheetId: number): Promise<SQL[]> {
  const { state, header } = await findSheet(tx, sheetId)
  if (state !== 'ready') return refuse('ERR_SHEET_NOT_READY', { field: 'sheetId' })
  const [sheet] = await rowsFrom<{ last: number }>(
    tx.sql,
    tag`select coalesce(max(r."row"), 0)::int as last from contact_sheet_rows r where r.company_id = ${tx.companyId} and r.sheet_id = ${sheetId}`,
  )
  return Array.from({ length: Math.ceil(sheet!.last / SHEET_ROWS) }, (_, part) =>
    partOfSheet(tx, sheetId, header, part * SHEET_ROWS),
  )
}

const partOfSheet = (tx: Tx, sheetId: number, header: string[], after: number): SQL =>
  tag`
    select r."row" as place, case when r.name = '+' || r.number then '' else r.name end as name, r.number, r.key,
      jsonb_build_object('email', case when r.fault = 'email' then '' else r.email end) || coalesce((select jsonb_object_agg(h.name, left(r.cells ->> (h.at - 1)::int, 500))
        from jsonb_array_elements_text(${JSON.stringify(header)}::jsonb) with ordinality as h(name, at)
        where r.cells ->> (h.at - 1)::int <> ''), '{}') as row_values, null::int as contact_id
    from contact_sheet_rows r
    where r.company_id = ${tx.companyId} and r.sheet_id = ${sheetId} and r."row" > ${after}::int and r."row" <= ${after + SHEET_ROWS}::int
      and (r.state in ('fresh', 'known') or r.fault in ('name', 'email'))`

/** Contacts with a number; of a merged contact the number that its messages go to. */
const contactsWith = (tx: Tx, those: SQL): SQL => tag`
  select c.id as place, c.name, c.number, i.value as key, jsonb_build_object('email', c.email) as row_values,
    c.id as contact_id
  from contacts c cross join lateral (
    select value from contact_identifiers where company_id = ${tx.companyId} and contact_id = c.id and kind = 'phone'
    order by value = c.number desc, value limit 1) i
  where c.company_id = ${tx.companyId} and not c.is_group and c.number <> '' and ${those}`

export const ofCategories = (tx: Tx, categoryIds: number[]): SQL =>
  contactsWith(
    tx,
    tag`c.id in (select k.contact_id from contact_categories k
      where k.company_id = ${tx.companyId} and k.category_id = any(${`{${categoryIds}}`}::int[]))`,
  )

export const allContacts = (tx: Tx): SQL => contactsWith(tx, tag`true`)

const MONTH = tag`now() - interval '30 days'`

/** Contacts with a ticket of these tags that was opened within the days, by default the last 30 (OP-98). */
export function ofTags(
  tx: Tx,
  tagIds: number[],
  { dateInitial, dateFinal }: Pick<Recipients, 'dateInitial' | 'dateFinal'>,
): SQL {
  const from = dateInitial ? startOf(tx, dateInitial) : MONTH
  const until = dateFinal ? endOf(tx, dateFinal) : tag`now()`
  return contactsWith(
    tx,
    tag`c.id in (select t.contact_id from tickets t
      join ticket_tags g on g.company_id = t.company_id and g.ticket_id = t.id
      where t.company_id = ${tx.companyId} and g.tag_id = any(${`{${tagIds}}`}::int[])
        and t.created_at >= ${from} and t.created_at <= ${until})`,
  )
}

/** Inserts in one statement. A contact in the list under any of its numbers is a double; one that opted out is inserted as failed. */
export async function insertFrom(tx: Tx, campaignId: number, source: SQL): Promise<Counted> {
  const { companyId } = tx
  const before = await listed(tx, campaignId)
  const [given] = await tx.sql.select({ people: tag<number>`count(*)::int` }).from(tag`(${source}) as given`)
  await tx.sql.execute(tag`
    with whose as (select given.*, i.contact_id as known_id from (${source}) given left join contact_identifiers i
        on i.company_id = ${companyId} and i.kind = 'phone' and i.value = given.key),
      there as (select i.contact_id from campaign_dispatches d join contact_identifiers i
        on i.company_id = d.company_id and i.kind = 'phone' and i.value = d.key
        where d.company_id = ${companyId} and d.campaign_id = ${campaignId}),
      once as (select distinct on (coalesce(known_id::text, '+' || key)) *, ${isOptedOut(tx, tag`whose.key`)} as is_out
        from whose where known_id is null or known_id not in (select contact_id from there)
        order by coalesce(known_id::text, '+' || key), place)
    insert into campaign_dispatches
      (company_id, campaign_id, position, name, number, key, row_values, contact_id, status, reason)
    select ${companyId}::int, ${campaignId}::int, ${before.last}::int + row_number() over (order by once.place), once.name,
      once.number, once.key, once.row_values, once.contact_id, case when is_out then 'sentFail' else 'pending' end,
      case when is_out then 'ERR_OPTED_OUT' else '' end
    from once
    order by once.place
    on conflict (company_id, campaign_id, key) do nothing`)
  const after = await listed(tx, campaignId)
  const added = after.people - before.people
  return { added, optedOut: after.optedOut - before.optedOut, doubled: given!.people - added }
}

async function listed(tx: Tx, campaignId: number) {
  const [row] = await tx.sql
    .select({
      people: tag<number>`count(*)::int`,
      optedOut: tag<number>`(count(*) filter (where ${campaignDispatches.reason} = 'ERR_OPTED_OUT'))::int`,
      last: tag<number>`coalesce(max(${campaignDispatches.position}), -1)::int`,
    })
    .from(campaignDispatches)
    .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.campaignId, campaignId)))
  return row!
}

/** Contacts that a screen shows to choose from. */
const MAX_PICKED = 20_000

interface PickedContact {
  id: number
  name: string
  number: string
}

/** Contacts of a source, by name. */
export const listPicked = (tx: Tx, source: SQL): Promise<PickedContact[]> =>
  tx.sql
    .select({ id: tag<number>`c.contact_id`, name: tag<string>`c.name`, number: tag<string>`c.number` })
    .from(tag`(${source}) as c`)
    .orderBy(tag`folded(c.name)`, tag`c.contact_id`)
    .limit(MAX_PICKED)

/** Over the official API only a template is allowed: the last message of the customer is older than a day. */
const TEMPLATE_ONLY = tag`not exists (select from contact_identifiers i join tickets t
  on t.company_id = i.company_id and t.contact_id = i.contact_id
  where i.company_id = campaign_dispatches.company_id and i.kind = 'phone' and i.value = campaign_dispatches.key
    and t.replies_until > now())`

/** Pending recipients that meet a condition. */
async function countPending(tx: Tx, campaignId: number, condition: ReturnType<typeof tag>): Promise<number> {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(campaignDispatches)
    .where(and(pendingOf(tx, campaignId), condition))
  return row!.count
}

const pendingOf = (tx: Tx, campaignId: number) =>
  and(
    eq(campaignDispatches.companyId, tx.companyId),
    eq(campaignDispatches.campaignId, campaignId),
    eq(campaignDispatches.status, 'pending'),
  )

/** Name and values of the first recipient; null when the list is empty. */
export async function firstRecipient(tx: Tx, campaignId: number) {
  const { name, values } = campaignDispatches
  const [row] = await tx.sql
    .select({ name, values })
    .from(campaignDispatches)
    .where(and(eq(campaignDispatches.companyId, tx.companyId), eq(campaignDispatches.campaignId, campaignId)))
    .orderBy(asc(campaignDispatches.position))
    .limit(1)
  return row ?? null
}

/** Pending recipients that opted out since they were added. */
export const countOptedOut = (tx: Tx, campaignId: number) =>
  countPending(tx, campaignId, isOptedOut(tx, tag`campaign_dispatches.key`))

/** Pending recipients that only a template may be sent to. */
export const countTemplateOnly = (tx: Tx, campaignId: number) => countPending(tx, campaignId, TEMPLATE_ONLY)

/** The next pending recipients; `templateOnly` is computed for an official connection. */
export const nextPending = (
  tx: Tx,
  campaignId: number,
  { isOfficial }: { isOfficial: boolean },
  limit: number,
) =>
  tx.sql
    .select({
      ...getTableColumns(campaignDispatches),
      templateOnly: tag<boolean>`${isOfficial ? TEMPLATE_ONLY : tag`false`}`,
    })
    .from(campaignDispatches)
    .where(pendingOf(tx, campaignId))
    .orderBy(asc(campaignDispatches.position))
    .limit(limit)

/** Returns how many were deleted. */
export async function deletePending(tx: Tx, campaignId: number): Promise<number> {
  const deleted = await tx.sql
    .delete(campaignDispatches)
    .where(pendingOf(tx, campaignId))
    .returning({ id: campaignDispatches.id })
  return deleted.length
}
