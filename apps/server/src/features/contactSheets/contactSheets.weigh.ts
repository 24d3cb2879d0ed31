import { guessColumns, headOf } from '@balcao/contract/contactSheets.rules.ts'
import type { SheetFault } from '@balcao/contract/contactSheets.ts'
import type { Files } from '../../platform/files.ts'
import type { Scope } from '../../platform/scope.ts'
import { columnName } from '../../platform/sheets.ts'
import { sheetChanged } from './contactSheets.events.ts'
import {
  dropRows,
  lockSheetOrNull,
  putRows,
  rowsBehind,
  type SheetRecord,
  settleRows,
  sheetOrNull,
  toSheet,
  updateSheet,
} from './contactSheets.queries.ts'
import { readKept } from './contactSheets.read.ts'
import { readRow } from './contactSheets.rows.ts'

const SAMPLE = 5
const AT_ONCE = 2_000
/** Enough of a list to see what stands in its columns. */
const LOOKED_AT = 200

export interface KeptSheet {
  sheetId: number
  /** Of its file. */
  key: string
}

/** Reads a kept spreadsheet into rows, guesses its columns and counts. Done again, it begins anew. */
export async function readSheetRows(scope: Scope, { sheetId, key }: KeptSheet, files: Files): Promise<void> {
  const asked = await scope.read(tx => sheetOrNull(tx, sheetId))
  if (asked?.state !== 'reading') return files.remove(scope.companyId, key)
  await scope.transaction(tx => dropRows(tx, sheetId))
  let sheet: SheetRecord | undefined
  let [row, taken] = [0, 0]
  const fault = await readKept(files, scope.companyId, key, async cells => {
    const head = sheet ? null : headOf(cells[0]!)
    const rows = head ? cells.slice(1) : cells
    if (head) row++
    sheet ??= await begin(scope, sheetId, head, rows)
    const { columns } = sheet
    const read = rows.map(one => ({ row: ++row, cells: one, ...readRow(one, columns) }))
    await scope.transaction(tx => putRows(tx, sheetId, read))
    taken += read.length
  })
  await files.remove(scope.companyId, key)
  await settle(scope, sheetId, fault ?? (taken === 0 ? 'empty' : null))
}

/** Looks at the rows again, by other columns. */
export async function weighAgain(scope: Scope, sheetId: number): Promise<void> {
  const asked = await scope.read(tx => sheetOrNull(tx, sheetId))
  if (asked?.state !== 'reading') return
  for (let reached = 0; ; ) {
    const rows = await scope.list(tx => rowsBehind(tx, sheetId, reached, AT_ONCE))
    if (rows.length === 0) break
    reached = rows.at(-1)!.row
    const read = rows.map(({ row, cells }) => ({ row, cells, ...readRow(cells, asked.columns) }))
    await scope.transaction(tx => putRows(tx, sheetId, read))
  }
  await settle(scope, sheetId, null)
}

const begin = (scope: Scope, sheetId: number, head: string[] | null, rows: string[][]) =>
  scope.transaction(async tx => {
    const width = Math.max(head?.length ?? 0, ...rows.slice(0, LOOKED_AT).map(cells => cells.length))
    return updateSheet(tx, sheetId, {
      header: Array.from({ length: width }, (_, at) => head?.[at]?.slice(0, 100) || columnName(at)),
      sample: rows.slice(0, SAMPLE).map(cells => cells.map(cell => cell.slice(0, 100))),
      columns: guessColumns(head, rows.slice(0, LOOKED_AT)),
    })
  })

/** Unless somebody cancelled it meanwhile. */
const settle = (scope: Scope, sheetId: number, fault: SheetFault | null) =>
  scope.transaction(async tx => {
    if ((await lockSheetOrNull(tx, sheetId))?.state !== 'reading') return
    if (!fault) await settleRows(tx, sheetId)
    const sheet = await updateSheet(tx, sheetId, { state: fault ? 'failed' : 'ready', fault })
    tx.emit(sheetChanged, { sheet: toSheet(sheet) })
  })
