import type { KnownPolicy } from '@balcao/contract/contactSheets.ts'
import { isUniqueViolation } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, gt, inArray, sql as tag } from '../../platform/sql.ts'
import { sheetChanged } from './contactSheets.events.ts'
import { lockSheetOrNull, type SheetRecord, toSheet, updateSheet } from './contactSheets.queries.ts'
import { contactSheetRows } from './contactSheets.table.ts'

/** So many rows are taken in one commit: a broken try loses no more, and nobody waits long for it. */
const AT_ONCE = 1_000

/** Takes the rows in, some at a time, from where a broken try ended, until there are none or somebody stops it. */
export async function takeSheet(scope: Scope, sheetId: number): Promise<void> {
  while (await orAgain(() => scope.transaction(tx => takeSome(tx, sheetId))));
}

/** Who wrote at this very moment is a contact by now: looked at again, he is known. */
async function orAgain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'contact_identifiers')) throw error
    return work()
  }
}

async function takeSome(tx: Tx, sheetId: number): Promise<boolean> {
  const sheet = await lockSheetOrNull(tx, sheetId)
  if (sheet?.state !== 'running') return false
  const { stop, many } = await nextStop(tx, sheet)
  if (stop !== null) await takeRows(tx, sheet, stop)
  const fields = stop === null ? { state: 'done' as const } : { reached: stop, done: sheet.done + many }
  const now = await updateSheet(tx, sheetId, fields)
  tx.emit(sheetChanged, { sheet: toSheet(now) })
  if (stop === null) tx.note('a spreadsheet of contacts was taken in', { sheetId, taken: now.done })
  return stop !== null
}

/** How far the next commit goes; null when nothing is left. */
async function nextStop(tx: Tx, { id, reached }: SheetRecord) {
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
    .limit(AT_ONCE)
    .as('next')
  const [found] = await tx.sql
    .select({ stop: tag<number | null>`max(${next.row})::int`, many: tag<number>`count(*)::int` })
    .from(next)
  return found!
}

/** One statement: who is new is added with number and categories, who is known gets what the policy says. */
async function takeRows(tx: Tx, sheet: SheetRecord, upTo: number): Promise<void> {
  const { companyId } = tx
  await tx.sql.execute(tag`
    with batch as (
      select * from contact_sheet_rows where company_id = ${companyId} and sheet_id = ${sheet.id}
        and "row" > ${sheet.reached} and "row" <= ${upTo} and state in ('fresh', 'known')
    ), standing as (
      select b.*, i.contact_id from batch b
      join contact_identifiers i on i.company_id = ${companyId} and i.kind = 'phone' and i.value = b.key
    ), added as (
      insert into contacts (company_id, name, number, email)
      select ${companyId}::int, name, number, email from batch b
      where not exists (select from standing s where s."row" = b."row")
      returning id, number
    ), numbered as (
      insert into contact_identifiers (company_id, kind, value, contact_id)
      select ${companyId}::int, 'phone', b.key, a.id from added a join batch b on b.number = a.number
    ), changed as (
      update contacts c set name = ${names[sheet.policy]}, email = ${emails[sheet.policy]}, updated_at = now()
      from standing s where c.company_id = ${companyId} and c.id = s.contact_id
        and (c.name, c.email) is distinct from (${names[sheet.policy]}, ${emails[sheet.policy]})
    ), labelled as (
      insert into contact_categories (company_id, contact_id, category_id)
      select ${companyId}::int, those.id, k.id
      from (select id from added union select contact_id from standing) those
      join categories k on k.company_id = ${companyId} and k.id = any(${`{${sheet.categoryIds}}`}::int[])
      on conflict do nothing
    )
    select 1`)
}

/** A name that only repeats the number is none. */
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
