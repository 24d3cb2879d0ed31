import type { ContactSheet, SheetRow } from '@balcao/contract/contactSheets.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import {
  and,
  asc,
  desc,
  eq,
  inArray,
  ne,
  notInArray,
  or,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import type { Traces } from '../contacts/contacts.events.ts'
import { contacts } from '../contacts/contacts.table.ts'
import type { MoreOfRow, ReadRow } from './contactSheets.rules.ts'
import { contactSheetRows, contactSheets } from './contactSheets.table.ts'

export type SheetRecord = typeof contactSheets.$inferSelect

export const toSheet = ({
  companyId: _company,
  reached: _at,
  userId: _whose,
  ...sheet
}: SheetRecord): ContactSheet => sheet

const own = (tx: Tx, sheetId: number) =>
  and(eq(contactSheets.companyId, tx.companyId), eq(contactSheets.id, sheetId))

/** Null when it was replaced by a newer one. */
export async function sheetOrNull(tx: Tx, sheetId: number): Promise<SheetRecord | null> {
  const [sheet] = await tx.sql.select().from(contactSheets).where(own(tx, sheetId))
  return sheet ?? null
}

/** A sheet of the caller, or any for an admin. Refuses with ERR_NOT_FOUND. */
export const findSheet = async (tx: Tx, sheetId: number): Promise<SheetRecord> =>
  visible(tx, await sheetOrNull(tx, sheetId))

function visible(tx: Tx, sheet: SheetRecord | null): SheetRecord {
  const viewer = viewerOf(tx)
  const isTheirs = sheet !== null && (sheet.userId === viewer.id || may(viewer, 'admin'))
  return isTheirs ? sheet : refuse('ERR_NOT_FOUND', { field: 'sheetId' })
}

/** Locked; null when it was replaced by a newer one. */
export async function lockSheetOrNull(tx: Tx, sheetId: number): Promise<SheetRecord | null> {
  const [sheet] = await tx.sql.select().from(contactSheets).where(own(tx, sheetId)).for('update')
  return sheet ?? null
}

/** A sheet of the caller, or any for an admin, locked. Refuses with ERR_NOT_FOUND. */
export const lockSheet = async (tx: Tx, sheetId: number): Promise<SheetRecord> =>
  visible(tx, await lockSheetOrNull(tx, sheetId))

/** The newest sheet of the caller, for an admin also any that is being read or imported; null when there is none. */
export async function newestSheet(tx: Tx): Promise<ContactSheet | null> {
  const viewer = viewerOf(tx)
  const isUnderWay = may(viewer, 'admin') ? inArray(contactSheets.state, ['reading', 'running']) : undefined
  const [sheet] = await tx.sql
    .select()
    .from(contactSheets)
    .where(
      and(eq(contactSheets.companyId, tx.companyId), or(eq(contactSheets.userId, viewer.id), isUnderWay)),
    )
    .orderBy(desc(contactSheets.id))
    .limit(1)
  return sheet ? toSheet(sheet) : null
}

/** Deletes the caller's previous sheets, and others older than a day; sheets of others may be in use. */
export const deletePrevious = (tx: Tx, userId: number) =>
  tx.sql
    .delete(contactSheets)
    .where(
      and(
        eq(contactSheets.companyId, tx.companyId),
        notInArray(contactSheets.state, ['reading', 'running']),
        tag`(${contactSheets.userId} = ${userId} or ${contactSheets.createdAt} < now() - interval '1 day')`,
      ),
    )

export async function insertSheet(tx: Tx, userId: number, fileName: string): Promise<SheetRecord> {
  const [sheet] = await tx.sql
    .insert(contactSheets)
    .values({ companyId: tx.companyId, userId, fileName })
    .returning()
  return sheet!
}

export async function updateSheet(
  tx: Tx,
  sheetId: number,
  fields: Partial<SheetRecord>,
): Promise<SheetRecord> {
  const [sheet] = await tx.sql.update(contactSheets).set(fields).where(own(tx, sheetId)).returning()
  return sheet!
}

const ofSheet = (tx: Tx, sheetId: number, more?: SQL) =>
  and(eq(contactSheetRows.companyId, tx.companyId), eq(contactSheetRows.sheetId, sheetId), more)

const shown = {
  row: contactSheetRows.row,
  name: contactSheetRows.name,
  number: contactSheetRows.number,
  email: contactSheetRows.email,
  state: contactSheetRows.state,
  fault: contactSheetRows.fault,
}

export async function sheetRows(tx: Tx, sheetId: number, pageNumber: number | undefined, size: number) {
  await findSheet(tx, sheetId)
  const found = tx.sql
    .select(shown)
    .from(contactSheetRows)
    .where(ofSheet(tx, sheetId))
    .orderBy(asc(contactSheetRows.row))
  return onePage<SheetRow>({ pageNumber }, (limit, offset) => found.limit(limit).offset(offset), size)
}

/** Rows after one, in the order of the file. */
export const rowsAfter = (tx: Tx, sheetId: number, row: number, most: number, more?: SQL) =>
  tx.sql
    .select({ ...shown, cells: contactSheetRows.cells })
    .from(contactSheetRows)
    .where(ofSheet(tx, sheetId, and(tag`${contactSheetRows.row} > ${row}`, more)))
    .orderBy(asc(contactSheetRows.row))
    .limit(most)

export const refusedAfter = (tx: Tx, sheetId: number, row: number, most: number) =>
  rowsAfter(tx, sheetId, row, most, eq(contactSheetRows.state, 'refused'))

export const contactsAfter = (tx: Tx, id: number, most: number) =>
  tx.sql
    .select({
      id: contacts.id,
      name: contacts.name,
      number: contacts.number,
      email: contacts.email,
      lid: contacts.lid,
      owner: tag<string | null>`(select u.email from users u
        where u.company_id = ${contacts}.company_id and u.id = ${contacts}.owner_id)`,
      labels: tag<string[]>`array(select k.name from contact_categories c
        join categories k on k.company_id = c.company_id and k.id = c.category_id
        where c.company_id = ${contacts}.company_id and c.contact_id = ${contacts}.id order by folded(k.name))`,
      extra: tag<
        MoreOfRow['extraInfo']
      >`coalesce((select jsonb_agg(jsonb_build_object('name', e.name, 'value', e.value) order by e.id)
        from contact_extra_info e where e.company_id = ${contacts}.company_id and e.contact_id = ${contacts}.id), '[]')`,
    })
    .from(contacts)
    .where(
      and(eq(contacts.companyId, tx.companyId), eq(contacts.isGroup, false), tag`${contacts.id} > ${id}`),
    )
    .orderBy(asc(contacts.id))
    .limit(most)

export type PlacedRow = ReadRow & { row: number; cells: string[] }

const FIELDS = tag.raw(
  '"row" int, cells jsonb, name text, number text, email text, key text, state text, fault text, more jsonb',
)

/** Inserts or updates rows in one statement with one parameter: there may be thousands. */
export async function putRows(tx: Tx, sheetId: number, rows: PlacedRow[]): Promise<void> {
  await tx.sql.execute(tag`
    insert into contact_sheet_rows (company_id, sheet_id, "row", cells, name, number, email, key, state, fault, more)
    select ${tx.companyId}, ${sheetId}, "row", cells, name, number, email, key, state, fault, nullif(more, 'null')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(${FIELDS})
    on conflict (company_id, sheet_id, "row") do update set name = excluded.name, number = excluded.number,
      email = excluded.email, key = excluded.key, state = excluded.state, fault = excluded.fault,
      more = excluded.more`)
}

export const dropRows = (tx: Tx, sheetId: number) =>
  tx.sql.delete(contactSheetRows).where(ofSheet(tx, sheetId))

/** Ends a sheet and deletes its rows; of an imported one refused rows stay for a day, to be corrected. */
export async function endSheet(tx: Tx, sheetId: number, fields: Partial<SheetRecord>): Promise<SheetRecord> {
  const isImported = fields.state === 'done'
  await tx.sql
    .delete(contactSheetRows)
    .where(ofSheet(tx, sheetId, isImported ? ne(contactSheetRows.state, 'refused') : undefined))
  return updateSheet(tx, sheetId, { ...fields, sample: [] })
}

/** Deletes the sheets of all companies that are older than a day, with their rows. */
export const dropOldSheets = (sql: Sql) =>
  sql.delete(contactSheets).where(tag`${contactSheets.createdAt} < now() - interval '1 day'`)

/**
 * Marks rows whose number is doubled in the file or known, and counts rows by state. Nested loops are off because the
 * statistics may be of small files: such a plan needs minutes for 100,000 rows.
 */
export async function settleRows(tx: Tx, sheetId: number): Promise<void> {
  const { companyId } = tx
  await tx.sql.execute(tag`set local enable_nestloop = off`)
  await tx.sql.execute(tag`
    update contact_sheet_rows r set state = 'doubled'
    where r.company_id = ${companyId} and r.sheet_id = ${sheetId} and r.state = 'fresh' and exists (
      select from contact_sheet_rows before where before.company_id = ${companyId} and before.sheet_id = ${sheetId}
        and before.key = r.key and before."row" < r."row" and before.state <> 'refused')`)
  await tx.sql.execute(tag`
    update contact_sheet_rows r set state = 'known' from contact_identifiers i
    where r.company_id = ${companyId} and r.sheet_id = ${sheetId} and r.state = 'fresh'
      and i.company_id = ${companyId} and i.kind = 'phone' and i.value = r.key`)
  await tx.sql.execute(tag`
    update contact_sheet_rows r set state = 'known' from contact_identifiers i
    where r.company_id = ${companyId} and r.sheet_id = ${sheetId} and r.state = 'fresh' and r.number = ''
      and i.company_id = ${companyId} and i.kind = 'lid' and '@' || i.value = r.key`)
  await tx.sql.execute(tag`
    update contact_sheets s set rows = c.rows, fresh = c.fresh, known = c.known, doubled = c.doubled, refused = c.refused,
      ambiguous = c.ambiguous
    from (select count(*) as rows, count(*) filter (where state = 'fresh') as fresh,
        count(*) filter (where state = 'known') as known, count(*) filter (where state = 'doubled') as doubled,
        count(*) filter (where state = 'refused') as refused, count(*) filter (where fault = 'ambiguous') as ambiguous
      from contact_sheet_rows where company_id = ${companyId} and sheet_id = ${sheetId}) c
    where s.company_id = ${companyId} and s.id = ${sheetId}`)
}

/** Deletes the rows of a deleted contact, and the samples of their sheets, which may show them. */
export async function forgetInSheets(tx: Tx, { keys, addresses }: Traces): Promise<void> {
  await tx.sql.execute(tag`
    with theirs as (
      delete from contact_sheet_rows r using contact_sheets s
      where s.company_id = ${tx.companyId} and r.company_id = s.company_id and r.sheet_id = s.id
        and (r.key = any(array(select json_array_elements_text(${JSON.stringify(keys)}::json)))
          or exists (select from json_array_elements_text(${JSON.stringify(addresses)}::json) as address
            where position(address in r.cells::text) > 0))
      returning r.sheet_id)
    update contact_sheets set sample = '[]'
    where company_id = ${tx.companyId} and id in (select sheet_id from theirs)`)
}
