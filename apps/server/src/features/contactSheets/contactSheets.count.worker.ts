import { guessColumns, headOf, layoutOf } from '@balcao/contract/contactSheets.rules.ts'
import type { Delimiter } from '@balcao/contract/contactSheets.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { CountryCode } from '@balcao/contract/numbers.rules.ts'
import { may, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { Files } from '../../platform/files/files.ts'
import { addressOf, removeFiles } from '../../platform/files/served.ts'
import { columnName } from '../../platform/files/sheets.ts'
import type { Scope } from '../../platform/scope.ts'
import { phoneCountryOf } from '../companies/companies.queries.ts'
import { usersWhere } from '../users/users.queries.ts'
import { sheetChanged } from './contactSheets.events.ts'
import type { FileFault } from './contactSheets.fault.rules.ts'
import {
  dropRows,
  endSheet,
  lockSheetOrNull,
  putRows,
  rowsAfter,
  type SheetRecord,
  settleRows,
  sheetOrNull,
  toSheet,
  updateSheet,
} from './contactSheets.queries.ts'
import { readKept } from './contactSheets.read.worker.ts'
import { type NumberReading, ownersBy, readRow } from './contactSheets.rules.ts'

const SAMPLE = 5
const AT_ONCE = 100
/** Rows that the columns are guessed from. */
const GUESS_ROWS = 200

export interface KeptSheet {
  sheetId: number
  key: string
  delimiter?: Delimiter | undefined
}

/** Reads a stored spreadsheet into rows, guesses its columns and counts them. A retry starts again. */
export async function readSheetRows(
  scope: Scope,
  { sheetId, key, delimiter }: KeptSheet,
  files: Files,
): Promise<void> {
  const requested = await scope.read(tx => sheetOrNull(tx, sheetId))
  if (requested?.state !== 'reading') return scope.transaction(tx => removeFiles(tx, [addressOf(key)]))
  await scope.transaction(tx => dropRows(tx, sheetId))
  const country = await scope.read(phoneCountryOf)
  let sheet: SheetRecord | undefined
  let reading: NumberReading | undefined
  let [row, written] = [0, 0]
  const fault = await readKept(
    scope,
    files,
    key,
    async cells => {
      const head = sheet ? null : headOf(cells[0]!)
      const rows = head ? cells.slice(1) : cells
      if (head) row++
      sheet ??= await begin(scope, sheetId, head, rows)
      reading ??= await readingOf(scope, sheet, country)
      const read = rows.map(one => ({
        row: ++row,
        cells: one,
        ...readRow(one, sheet!.columns, reading!),
      }))
      await scope.transaction(tx => putRows(tx, sheetId, read))
      written += read.length
    },
    delimiter,
  )
  await settle(scope, sheetId, fault ?? (written === 0 ? { fault: 'empty', row: null } : null), key)
}

export async function recount(scope: Scope, sheetId: number): Promise<void> {
  const requested = await scope.read(tx => sheetOrNull(tx, sheetId))
  if (requested?.state !== 'reading') return
  const reading = await readingOf(scope, requested, await scope.read(phoneCountryOf))
  for (let reached = 0; ; ) {
    const rows = await scope.list(tx => rowsAfter(tx, sheetId, reached, AT_ONCE))
    if (rows.length === 0) break
    reached = rows.at(-1)!.row
    const read = rows.map(({ row, cells }) => ({
      row,
      cells,
      ...readRow(cells, requested.columns, reading),
    }))
    await scope.transaction(tx => putRows(tx, sheetId, read))
  }
  await settle(scope, sheetId, null)
}

async function readingOf(scope: Scope, sheet: SheetRecord, country: CountryCode): Promise<NumberReading> {
  const { header, columns, twoReadings, userId } = sheet
  const reading = { country, twoReadings, layout: layoutOf(header, columns) }
  if ((columns.owner ?? null) === null) return reading
  const users = await scope.read(tx => usersWhere(tx))
  const importer = users.find(({ id }) => id === userId)
  // who sees only own customers gives none away
  const isLimited = importer !== undefined && !may(viewerFrom(importer), 'contacts:all')
  return { ...reading, owners: ownersBy(isLimited ? [importer] : users) }
}

const begin = (scope: Scope, sheetId: number, head: string[] | null, rows: string[][]) =>
  scope.transaction(async tx => {
    const width = Math.max(head?.length ?? 0, ...rows.slice(0, GUESS_ROWS).map(cells => cells.length))
    return updateSheet(tx, sheetId, {
      header: Array.from({ length: width }, (_, at) => cut(head?.[at] ?? '', 100) || columnName(at)),
      sample: rows.slice(0, SAMPLE).map(cells => cells.map(cell => cut(cell, 100))),
      columns: guessColumns(head, rows.slice(0, GUESS_ROWS)),
    })
  })

/** The file goes by a job of the commit that says it was read: before that, a retry needs it. */
const settle = (scope: Scope, sheetId: number, fault: FileFault | null, key?: string) =>
  scope.transaction(async tx => {
    if (key !== undefined) await removeFiles(tx, [addressOf(key)])
    // rows written after it was cancelled
    if ((await lockSheetOrNull(tx, sheetId))?.state !== 'reading') return void (await dropRows(tx, sheetId))
    if (!fault) await settleRows(tx, sheetId)
    const sheet = fault
      ? await endSheet(tx, sheetId, { state: 'failed', fault: fault.fault, faultRow: fault.row })
      : await updateSheet(tx, sheetId, { state: 'ready', fault: null, faultRow: null })
    tx.emit(sheetChanged, { sheet: toSheet(sheet), userId: sheet.userId })
  })

/** All tries to read or import it failed: it is failed, and another can be uploaded. */
export const giveUpSheet = (scope: Scope, sheetId: number, key?: string): Promise<void> =>
  scope.transaction(async tx => {
    if (key !== undefined) await removeFiles(tx, [addressOf(key)])
    const before = await lockSheetOrNull(tx, sheetId)
    if (before?.state !== 'reading' && before?.state !== 'running') return
    const sheet = await endSheet(tx, sheetId, { state: 'failed', fault: 'broken' })
    tx.emit(sheetChanged, { sheet: toSheet(sheet), userId: sheet.userId })
  })
