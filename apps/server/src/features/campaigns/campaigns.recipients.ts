import type { Added } from '@balcao/contract/campaignPeople.ts'
import type { Campaign, Recipients } from '@balcao/contract/campaignShapes.ts'
import { MAX_RECIPIENTS } from '@balcao/contract/campaignShapes.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { endOf, startOf } from '../companies/companies.queries.ts'
import { findSheet } from '../contactSheets/contactSheets.queries.ts'
import { readRow } from '../contactSheets/contactSheets.rows.ts'
import { lockManagedCampaign } from './campaigns.checks.ts'
import { wakeClocks } from './campaigns.clocks.ts'
import { clockSet } from './campaigns.events.ts'
import { finishIfOver } from './campaigns.process.ts'
import { countPeople, lookAt } from './campaigns.queries.ts'
import { campaignDispatches } from './campaigns.table.ts'
import { tellCampaign } from './campaigns.tell.ts'

/**
 * Adds people, each number once however it is written. Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION,
 * ERR_CAMPAIGN_FINALIZED, ERR_SHEET_NOT_READY, and ERR_BAD_REQUEST for more than a campaign takes.
 */
export const addRecipients = (scope: Scope, campaignId: number, given: Recipients): Promise<Added> =>
  scope.transaction(async tx => {
    const { status } = await lockManagedCampaign(tx, campaignId)
    if (status === 'finalized') return refuse('ERR_CAMPAIGN_FINALIZED')
    const added = await takeIn(tx, campaignId, given)
    if (status === 'start') {
      await wakeClocks(tx, campaignId)
      tx.emit(clockSet, {})
    }
    await tellCampaign(tx, campaignId)
    return added
  })

/** Takes out everybody who still waits. Refuses with ERR_NOT_FOUND and ERR_NO_PERMISSION. */
export const clearRecipients = (scope: Scope, campaignId: number): Promise<Campaign> =>
  scope.transaction(async tx => {
    await lockManagedCampaign(tx, campaignId)
    const gone = await tx.sql
      .delete(campaignDispatches)
      .where(
        and(
          eq(campaignDispatches.companyId, tx.companyId),
          eq(campaignDispatches.campaignId, campaignId),
          eq(campaignDispatches.status, 'pending'),
        ),
      )
      .returning({ id: campaignDispatches.id })
    await finishIfOver(tx, await countPeople(tx, campaignId, { total: -gone.length }))
    return tellCampaign(tx, campaignId)
  })

type Counted = Pick<Added, 'added' | 'doubled' | 'optedOut'>

/** The same, by whoever holds the campaign. */
export async function takeIn(tx: Tx, campaignId: number, given: Recipients): Promise<Added> {
  const { sendList = [], categoryIds = [], tagIds = [], sheetId } = given
  const { rows, faults, refused } = read(sendList)
  const sources: SQL[] = []
  if (rows.length > 0) sources.push(named(rows))
  if (sheetId) sources.push(await fromSheet(tx, sheetId))
  if (categoryIds.length > 0) sources.push(ofCategories(tx, categoryIds))
  if (tagIds.length > 0) sources.push(ofTags(tx, tagIds, given))
  const all: Counted = { added: 0, doubled: 0, optedOut: 0 }
  for (const source of sources) {
    const some = await insertFrom(tx, campaignId, source)
    for (const name of ['added', 'doubled', 'optedOut'] as const) all[name] += some[name]
  }
  await countPeople(tx, campaignId, { total: all.added, failed: all.optedOut })
  await askRoom(tx, campaignId)
  return { ...all, refused, faults }
}

async function askRoom(tx: Tx, campaignId: number) {
  const { total } = await lookAt(tx, campaignId)
  if (total > MAX_RECIPIENTS)
    refuse('ERR_BAD_REQUEST', { field: 'sendList', message: `At most ${MAX_RECIPIENTS}` })
}

const FAULTS_SHOWN = 100
const columns = { name: null, number: 0, email: null }

/** The numbers that were given, as spreadsheets of contacts are read; and those that are none. */
function read(sendList: NonNullable<Recipients['sendList']>) {
  const rows: { name: string; number: string; key: string; row_values: object }[] = []
  const faults: Added['faults'] = []
  let refused = 0
  for (const [at, { number: given, values }] of sendList.entries()) {
    const { number, key, fault } = readRow([given], columns)
    const name = (values.name_opcional ?? values.name ?? values.nome ?? '').trim().slice(0, 50)
    if (!fault) rows.push({ name, number, key, row_values: { ...values, ...emailOf(values) } })
    else {
      refused++
      if (faults.length < FAULTS_SHOWN) faults.push({ row: at + 1, number: given, fault })
    }
  }
  return { rows, faults, refused }
}

const emailOf = (values: Record<string, string>) =>
  values.email_opcional ? { email: values.email_opcional } : {}

const named = (rows: object[]): SQL => tag`
  select row_number() over () as place, g.name, g.number, g.key, g.row_values, null::int as contact_id
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(name text, number text, key text, row_values jsonb)`

/**
 * Rows of a spreadsheet that was read; its columns are values of the texts. A name and an e-mail may be missing here, so
 * what is wrong with them keeps nobody out who has a number.
 */
async function fromSheet(tx: Tx, sheetId: number): Promise<SQL> {
  const { state, header } = await findSheet(tx, sheetId)
  if (state !== 'ready' && state !== 'done') return refuse('ERR_SHEET_NOT_READY', { field: 'sheetId' })
  return tag`
    select r."row" as place, case when r.name = '+' || r.number then '' else r.name end as name, r.number, r.key,
      jsonb_build_object('email', case when r.fault = 'email' then '' else r.email end) || coalesce((select jsonb_object_agg(h.name, left(r.cells ->> (h.at - 1)::int, 500))
        from jsonb_array_elements_text(${JSON.stringify(header)}::jsonb) with ordinality as h(name, at)
        where r.cells ->> (h.at - 1)::int <> ''), '{}') as row_values, null::int as contact_id
    from contact_sheet_rows r
    where r.company_id = ${tx.companyId} and r.sheet_id = ${sheetId} and (r.state in ('fresh', 'known') or r.fault in ('name', 'email'))`
}

/** Contacts with a number; the one that they are written to, where a merged contact has several. */
const contactsWith = (tx: Tx, those: SQL): SQL => tag`
  select c.id as place, c.name, c.number, i.value as key, jsonb_build_object('email', c.email) as row_values,
    c.id as contact_id
  from contacts c cross join lateral (
    select value from contact_identifiers where company_id = ${tx.companyId} and contact_id = c.id and kind = 'phone'
    order by value = c.number desc, value limit 1) i
  where c.company_id = ${tx.companyId} and not c.is_group and c.number <> '' and ${those}`

/** Those of some categories. */
export const ofCategories = (tx: Tx, categoryIds: number[]): SQL =>
  contactsWith(
    tx,
    tag`c.id in (select k.contact_id from contact_categories k
      where k.company_id = ${tx.companyId} and k.category_id = any(${`{${categoryIds}}`}::int[]))`,
  )

/** Everybody. */
export const allContacts = (tx: Tx): SQL => contactsWith(tx, tag`true`)

const MONTH = tag`now() - interval '30 days'`

/** Those with a ticket of some tags that began within the days, the last 30 unless said (OP-98). */
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

/** One statement however many: a number that is there stays as it is; who wants no campaigns is listed and left out. */
async function insertFrom(tx: Tx, campaignId: number, source: SQL): Promise<Counted> {
  const { companyId } = tx
  const before = await listed(tx, campaignId)
  const [given] = await tx.sql.select({ people: tag<number>`count(*)::int` }).from(tag`(${source}) as given`)
  await tx.sql.execute(tag`
    with once as (select distinct on (key) * from (${source}) given order by key, place)
    insert into campaign_dispatches
      (company_id, campaign_id, position, name, number, key, row_values, contact_id, status, reason)
    select ${companyId}::int, ${campaignId}::int, ${before.last}::int + row_number() over (order by once.place), once.name,
      once.number, once.key, once.row_values, once.contact_id, case when o.key is null then 'pending' else 'sentFail' end,
      case when o.key is null then '' else 'ERR_OPTED_OUT' end
    from once left join opt_outs o on o.company_id = ${companyId} and o.key = once.key
    order by once.place
    on conflict (company_id, campaign_id, key) do nothing`)
  const after = await listed(tx, campaignId)
  const added = after.people - before.people
  return { added, optedOut: after.optedOut - before.optedOut, doubled: given!.people - added }
}

/** Who is in the list by now, and at which place the last one stands. */
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

/** So many are picked on a screen at most. */
const PICKED = 20_000

interface PickedContact {
  id: number
  name: string
  number: string
}

/** Who a source names, by name. */
export const picked = (tx: Tx, source: SQL): Promise<PickedContact[]> =>
  tx.sql
    .select({ id: tag<number>`c.contact_id`, name: tag<string>`c.name`, number: tag<string>`c.number` })
    .from(tag`(${source}) as c`)
    .orderBy(tag`lower(c.name)`, tag`c.contact_id`)
    .limit(PICKED)
