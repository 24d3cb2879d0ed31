import type { ContactSheet, SheetRow } from '@balcao/contract/contactSheets.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { and, asc, desc, eq, inArray, or, type SQL, sql as tag } from '../../platform/sql.ts'
import type { ReadRow } from './contactSheets.rows.ts'
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

/** Null when a newer one took its place. */
export async function sheetOrNull(tx: Tx, sheetId: number): Promise<SheetRecord | null> {
  const [sheet] = await tx.sql.select().from(contactSheets).where(own(tx, sheetId))
  return sheet ?? null
}

/** Refuses with ERR_NOT_FOUND. */
export const findSheet = async (tx: Tx, sheetId: number): Promise<SheetRecord> =>
  (await sheetOrNull(tx, sheetId)) ?? refuse('ERR_NOT_FOUND', { field: 'sheetId' })

/** The row, locked until the transaction ends; null when a newer one took its place. */
export async function lockSheetOrNull(tx: Tx, sheetId: number): Promise<SheetRecord | null> {
  const [sheet] = await tx.sql.select().from(contactSheets).where(own(tx, sheetId)).for('update')
  return sheet ?? null
}

/** The same. Refuses with ERR_NOT_FOUND. */
export const lockSheet = async (tx: Tx, sheetId: number): Promise<SheetRecord> =>
  (await lockSheetOrNull(tx, sheetId)) ?? refuse('ERR_NOT_FOUND', { field: 'sheetId' })

/** The newest of the caller’s, or whose ever is read or taken now; null when there is none. */
export async function newestSheet(tx: Tx): Promise<ContactSheet | null> {
  const isUnderWay = inArray(contactSheets.state, ['reading', 'running'])
  const [sheet] = await tx.sql
    .select()
    .from(contactSheets)
    .where(
      and(
        eq(contactSheets.companyId, tx.companyId),
        or(eq(contactSheets.userId, viewerOf(tx).id), isUnderWay),
      ),
    )
    .orderBy(desc(contactSheets.id))
    .limit(1)
  return sheet ? toSheet(sheet) : null
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

/** A page of rows as they would be taken. */
export async function sheetRows(tx: Tx, sheetId: number, pageNumber: number | undefined, size: number) {
  await findSheet(tx, sheetId)
  const found = tx.sql
    .select(shown)
    .from(contactSheetRows)
    .where(ofSheet(tx, sheetId))
    .orderBy(asc(contactSheetRows.row))
  return onePage<SheetRow>({ pageNumber }, (limit, offset) => found.limit(limit).offset(offset), size)
}

/** Rows behind one of them, as they stand in the file. */
export const rowsBehind = (tx: Tx, sheetId: number, row: number, most: number, more?: SQL) =>
  tx.sql
    .select({ ...shown, cells: contactSheetRows.cells })
    .from(contactSheetRows)
    .where(ofSheet(tx, sheetId, and(tag`${contactSheetRows.row} > ${row}`, more)))
    .orderBy(asc(contactSheetRows.row))
    .limit(most)

export type PlacedRow = ReadRow & { row: number; cells: string[] }

const FIELDS = tag.raw(
  '"row" int, cells jsonb, name text, number text, email text, key text, state text, fault text',
)

/** Writes rows down, or what they are read as now. One value however many: they come by the thousand. */
export async function putRows(tx: Tx, sheetId: number, rows: PlacedRow[]): Promise<void> {
  await tx.sql.execute(tag`
    insert into contact_sheet_rows (company_id, sheet_id, "row", cells, name, number, email, key, state, fault)
    select ${tx.companyId}, ${sheetId}, "row", cells, name, number, email, key, state, fault
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(${FIELDS})
    on conflict (company_id, sheet_id, "row") do update set name = excluded.name, number = excluded.number,
      email = excluded.email, key = excluded.key, state = excluded.state, fault = excluded.fault`)
}

export const dropRows = (tx: Tx, sheetId: number) =>
  tx.sql.delete(contactSheetRows).where(ofSheet(tx, sheetId))

/**
 * Which numbers stand twice in the file, and which are known; and how many there are of each. The statistics of the table
 * may be of small files: a plan that looks through the file again for each of its rows takes minutes for 100,000.
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
    update contact_sheets s set rows = c.rows, fresh = c.fresh, known = c.known, doubled = c.doubled, refused = c.refused
    from (select count(*) as rows, count(*) filter (where state = 'fresh') as fresh,
        count(*) filter (where state = 'known') as known, count(*) filter (where state = 'doubled') as doubled,
        count(*) filter (where state = 'refused') as refused
      from contact_sheet_rows where company_id = ${companyId} and sheet_id = ${sheetId}) c
    where s.company_id = ${companyId} and s.id = ${sheetId}`)
}
