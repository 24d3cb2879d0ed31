import type { KnownPolicy } from '@balcao/contract/contactSheets.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { and, eq, gt, inArray, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { ownCustomers } from '../contacts/contacts.owners.queries.ts'
import type { SheetRecord } from './contactSheets.queries.ts'
import { contactSheetRows } from './contactSheets.table.ts'

/** The last row of the next transaction, null when none is left; and how many rows it has. */
export async function nextStop(tx: Tx, { id, reached }: SheetRecord, most: number) {
  const next = tx.sql
    .select({ row: contactSheetRows.row })
    .from(contactSheetRows)
    .where(
      and(
        eq(contactSheetRows.companyId, tx.companyId),
        eq(contactSheetRows.sheetId, id),
        gt(contactSheetRows.row, reached),
        inArray(contactSheetRows.state, ['fresh', 'known']),
      ),
    )
    .orderBy(contactSheetRows.row)
    .limit(most)
    .as('next')
  const [found] = await tx.sql
    .select({ stop: tag<number | null>`max(${next.row})::int`, many: tag<number>`count(*)::int` })
    .from(next)
  return found!
}

/**
 * The tables grow during the import, and the planner may have no statistics of them: the cost of a row must not depend on
 * their size. Rows are read by the index of the primary key, known contacts by key, joins are hash joins of one batch.
 */
export const planWithoutStatistics = (tx: Tx) =>
  tx.sql.execute(tag`select set_config('enable_nestloop', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_sort', 'off', true)`)

/**
 * Adds new contacts with number and categories, and changes known ones by the policy. What is looked up is a column before the
 * lookup: on a table with a policy of rows PostgreSQL 15 compares with `ltrim(…)` or `->>` behind the policy only, row by
 * row, instead of by the index (100,000 rows took more than ten minutes; 8 s so).
 * Who sees only own customers (`viewer`) owns whom he adds, and changes no others. Answers the owners, former ones too, of
 * contacts that have another.
 */
export async function importRows(
  tx: Tx,
  { sheet, upTo, viewer }: { sheet: SheetRecord; upTo: number; viewer: Viewer | null },
): Promise<number[]> {
  const { companyId } = tx
  const withOwners = (sheet.columns.owner ?? null) !== null
  const isSeen = ownCustomers({ companyId, viewer }, tag`found.contact_id`)
  const owner = isSeen ? tag`c.owner_id` : owners[sheet.policy]
  const rows = await rowsFrom<{ id: number }>(
    tx.sql,
    tag`
    with given as materialized (
      select r."row", r.name, r.number, r.email, r.key, r.more, r.more ->> 'lid' as lid, (r.more ->> 'ownerId')::int as wanted, ltrim(r.key, '@') as value,
        case when r.number = '' then 'lid' else 'phone' end as kind
      from contact_sheet_rows r where r.company_id = ${companyId} and r.sheet_id = ${sheet.id}
        and r."row" > ${sheet.reached} and r."row" <= ${upTo} and r.state in ('fresh', 'known')
      order by r."row"
    ), found as materialized (
      select given.*, (
        select i.contact_id from contact_identifiers i
        where i.company_id = ${companyId} and i.kind = given.kind and i.value = given.value) as contact_id
      from given
    ), batch as materialized (
      select found.*, ${isSeen ? tag`case when ${isSeen} then found.contact_id end` : tag`found.contact_id`} as seen_id,
        ${withOwners ? ownersOf(companyId) : tag`null::int as owner_id, null::int as former_id`}
      from found
    ), fresh as materialized (
      select nextval(pg_get_serial_sequence('contacts', 'id'))::int as id, name, number, email, key, more, owner_id,
        case when row_number() over (partition by lid order by "row") = 1 and (
          select i.contact_id from contact_identifiers i
          where i.company_id = ${companyId} and i.kind = 'lid' and i.value = batch.lid) is null
        then coalesce(lid, '') else '' end as lid
      from batch where contact_id is null
    ), added as (
      insert into contacts (id, company_id, name, number, email, lid, owner_id) overriding system value
      select id, ${companyId}::int, name, number, email, lid, ${isSeen ? tag`${viewer!.id}::int` : tag`owner_id`} from fresh
    ), numbered as (
      insert into contact_identifiers (company_id, kind, value, contact_id)
      select ${companyId}::int, 'phone', key, id from fresh where number <> ''
      union all select ${companyId}::int, 'lid', lid, id from fresh where lid <> ''
    ), changed as (
      update contacts c set name = ${names[sheet.policy]}, email = ${emails[sheet.policy]}, owner_id = ${owner}, updated_at = now()
      from batch s where c.company_id = ${companyId} and c.id = s.seen_id
        and c.id = any(array(select seen_id from batch where seen_id is not null))
        and (c.name, c.email, c.owner_id) is distinct from (${names[sheet.policy]}, ${emails[sheet.policy]}, ${owner})
      returning c.owner_id, s.former_id
    ), widened as (
      select id, more from fresh where more is not null
      union all select seen_id, more from batch
      where seen_id is not null and more is not null and ${sheet.policy !== 'skip'}
    ), labelled as (
      insert into contact_categories (company_id, contact_id, category_id)
      select ${companyId}::int, those.id, k.id
      from (select id from fresh union select seen_id from batch where seen_id is not null) those
      join categories k on k.company_id = ${companyId} and k.id = any(${`{${sheet.categoryIds}}`}::int[])
      union select ${companyId}::int, w.id, k.id from widened w
      cross join lateral jsonb_array_elements_text(w.more -> 'categories') as label(name)
      join categories k on k.company_id = ${companyId} and k.name = label.name
      on conflict do nothing
    ), described as (
      insert into contact_extra_info (company_id, contact_id, name, value)
      select ${companyId}::int, w.id, field.value ->> 'name', field.value ->> 'value' from widened w
      cross join lateral jsonb_array_elements(w.more -> 'extraInfo') with ordinality as field(value, place)
      where (select e.contact_id from contact_extra_info e
        where e.company_id = ${companyId} and e.contact_id = w.id and e.name = field.value ->> 'name' limit 1) is null
      order by w.id, field.place
    )
    select distinct o.id from changed, unnest(array[owner_id, former_id]) o(id)
    where ${withOwners} and owner_id is distinct from former_id and o.id is not null`,
  )
  return rows.map(({ id }) => id)
}

/** The owner that the row names, and the one that its contact has. */
const ownersOf = (companyId: number) => tag`
  (select u.id from users u where u.company_id = ${companyId} and u.id = found.wanted) as owner_id,
  (select c.owner_id from contacts c where c.company_id = ${companyId} and c.id = found.contact_id) as former_id`

/** A name that repeats the number is ignored. */
const given = tag`case when s.name = '+' || s.number then c.name else s.name end`
const names: Record<KnownPolicy, ReturnType<typeof tag>> = {
  skip: tag`c.name`,
  fill: tag`case when c.name in ('+' || c.number, 'WhatsApp') then ${given} else c.name end`,
  overwrite: given,
}
const emails: Record<KnownPolicy, ReturnType<typeof tag>> = {
  skip: tag`c.email`,
  fill: tag`case when c.email = '' then s.email else c.email end`,
  overwrite: tag`case when s.email = '' then c.email else s.email end`,
}
const owners: Record<KnownPolicy, ReturnType<typeof tag>> = {
  skip: tag`c.owner_id`,
  fill: tag`coalesce(c.owner_id, s.owner_id)`,
  overwrite: tag`coalesce(s.owner_id, c.owner_id)`,
}
