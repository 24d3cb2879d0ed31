import type { Added } from '@balcao/contract/campaignPeople.ts'
import type { FollowUp, Recipients } from '@balcao/contract/campaignShapes.ts'
import { refuse } from '../../../platform/errors.ts'
import { and, eq, rowsFrom, type SQL, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { endOf, startOf } from '../../companies/companies.queries.ts'
import { findSheet } from '../../contactSheets/contactSheets.queries.ts'
import { ownCustomers } from '../../contacts/contacts.owners.queries.ts'
import { isOptedOut } from '../../optOuts/optOuts.queries.ts'
import { campaignDispatches } from '../campaigns.table.ts'

export type Counted = Pick<Added, 'added' | 'doubled' | 'optedOut' | 'excluded'>

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
      and r.number <> '' and (r.state in ('fresh', 'known') or r.fault in ('name', 'email'))`

/** Contacts with a number; of a merged contact the number that its messages go to. */
const contactsWith = (tx: Tx, those: SQL): SQL => tag`
  select c.id as place, c.name, c.number, i.value as key, jsonb_build_object('email', c.email) as row_values,
    c.id as contact_id
  from contacts c cross join lateral (
    select value from contact_identifiers where company_id = ${tx.companyId} and contact_id = c.id and kind = 'phone'
    order by value = c.number desc, value limit 1) i
  where c.company_id = ${tx.companyId} and not c.is_group and c.number <> ''
    and ${ownCustomers(tx, tag`c.id`) ?? tag`true`} and ${those}`

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

type Without = Recipients['without']

/** Contacts and numbers that stay out. */
function barred(
  tx: Tx,
  { campaignIds = [], answeredIds = [], categoryIds = [], tagIds = [] }: NonNullable<Without>,
) {
  const ids = (some: number[]) => tag`any(${`{${some}}`}::int[])`
  return tag`select d.key, i.contact_id from campaign_dispatches d
      left join contact_identifiers i on i.company_id = d.company_id and i.kind = 'phone' and i.value = d.key
      where d.company_id = ${tx.companyId}
        and (d.campaign_id = ${ids(campaignIds)} or d.campaign_id = ${ids(answeredIds)} and d.answered_at is not null)
    union all select null, k.contact_id from contact_categories k
      where k.company_id = ${tx.companyId} and k.category_id = ${ids(categoryIds)}
    union all select null, t.contact_id from tickets t
      join ticket_tags g on g.company_id = t.company_id and g.ticket_id = t.id
      where t.company_id = ${tx.companyId} and g.tag_id = ${ids(tagIds)}`
}

/** The people of a source who are not in the campaign, each once: whether they opted out, and whether they stay out. */
const peopleOf = (tx: Tx, campaignId: number | null, source: SQL, without: Without = {}): SQL => tag`
  whose as (select given.*, i.contact_id as known_id from (${source}) given left join contact_identifiers i
      on i.company_id = ${tx.companyId} and i.kind = 'phone' and i.value = given.key),
    there as (select d.key, i.contact_id from campaign_dispatches d left join contact_identifiers i
      on i.company_id = d.company_id and i.kind = 'phone' and i.value = d.key
      where d.company_id = ${tx.companyId} and d.campaign_id = ${campaignId}::int),
    barred as (${barred(tx, without)}),
    once as (select distinct on (coalesce(known_id::text, '+' || key)) *, ${isOptedOut(tx, tag`whose.key`)} as is_out,
        whose.key in (select key from barred where key is not null)
          or coalesce(known_id in (select contact_id from barred where contact_id is not null), false) as is_barred
      from whose
      where whose.key not in (select key from there)
        and (known_id is null or known_id not in (select contact_id from there where contact_id is not null))
      order by coalesce(known_id::text, '+' || key), place)`

/** Inserts in one statement. A contact in the list under any of its numbers is a double; one that opted out is inserted as failed. */
export async function insertFrom(
  tx: Tx,
  campaignId: number,
  source: SQL,
  without?: Without,
): Promise<Counted> {
  const { companyId } = tx
  const before = await listed(tx, campaignId)
  const [given] = await tx.sql.select({ people: tag<number>`count(*)::int` }).from(tag`(${source}) as given`)
  const [done] = await rowsFrom<{ excluded: number }>(
    tx.sql,
    tag`
    with ${peopleOf(tx, campaignId, source, without)},
      inserted as (insert into campaign_dispatches
        (company_id, campaign_id, position, name, number, key, row_values, contact_id, status, reason)
      select ${companyId}::int, ${campaignId}::int, ${before.last}::int + row_number() over (order by once.place), once.name,
        once.number, once.key, once.row_values, once.contact_id, case when is_out then 'sentFail' else 'pending' end,
        case when is_out then 'ERR_OPTED_OUT' else '' end
      from once where not is_barred
      order by once.place
      on conflict (company_id, campaign_id, key) do nothing)
    select count(*)::int as excluded from once where is_barred`,
  )
  const after = await listed(tx, campaignId)
  const added = after.people - before.people
  const { excluded } = done!
  return {
    added,
    excluded,
    optedOut: after.optedOut - before.optedOut,
    doubled: given!.people - added - excluded,
  }
}

/** What `insertFrom` would count of several sources together; with a campaign without those that are in it. */
export async function countPeopleFrom(tx: Tx, campaignId: number | null, sources: SQL[], without?: Without) {
  if (sources.length === 0) return { added: 0, optedOut: 0, excluded: 0 }
  const all = tag.join(
    sources.map(source => tag`(${source})`),
    tag` union all `,
  )
  const [counted] = await rowsFrom<{ added: number; optedOut: number; excluded: number }>(
    tx.sql,
    tag`with ${peopleOf(tx, campaignId, all, without)}
    select count(*) filter (where not is_barred)::int as added,
      count(*) filter (where not is_barred and is_out)::int as "optedOut",
      count(*) filter (where is_barred)::int as excluded
    from once`,
  )
  return counted!
}

/**
 * Of another campaign who did not get it, got it and did not answer, or both, without those who opted out, were erased, or
 * were reached by another follow-up, or wait in one that has begun.
 */
export const ofCampaign = (tx: Tx, campaignId: number, whom: FollowUp): SQL => tag`
  select d.position as place, d.name, d.number, d.key, d.row_values, null::int as contact_id
  from campaign_dispatches d
  where d.company_id = ${tx.companyId} and d.campaign_id = ${campaignId} and d.number <> '' and not d.opted_out
    and d.reason <> 'ERR_OPTED_OUT'
    and (${whom !== 'silent'} and d.status in ('pending', 'sentFail')
      or ${whom !== 'failed'} and d.status = 'sent' and d.answered_at is null)
    and not exists (select from campaigns f
      join campaign_dispatches e on e.company_id = f.company_id and e.campaign_id = f.id
      where f.company_id = ${tx.companyId} and f.follows_id = ${campaignId} and e.key = d.key
        and (e.status in ('sending', 'sent') or e.answered_at is not null
          or e.status = 'pending' and f.status in ('start', 'pause')))`

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
