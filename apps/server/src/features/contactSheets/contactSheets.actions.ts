import type {
  ContactSheet,
  contactSheets as calls,
  Delimiter,
  SheetColumns,
} from '@balcao/contract/contactSheets.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { z } from 'zod'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { knownCategories } from '../categories/categories.queries.ts'
import { sheetChanged } from './contactSheets.events.ts'
import { countSheetJob, importSheetJob, readSheetJob } from './contactSheets.jobs.ts'
import {
  deletePrevious,
  endSheet,
  insertSheet,
  lockSheet,
  type SheetRecord,
  toSheet,
  updateSheet,
} from './contactSheets.queries.ts'

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Spreadsheets that are recognised and not read (decision 056). */
const otherSheets: Partial<Record<string, ErrorCode>> = {
  'application/vnd.ms-excel': 'ERR_SHEET_XLS',
  'application/vnd.oasis.opendocument.spreadsheet': 'ERR_SHEET_ODS',
}

/**
 * Accepts an uploaded spreadsheet to be read; deletes previous ones that are over. Refuses with ERR_BAD_REQUEST, ERR_FILE_TYPE, ERR_SHEET_XLS, ERR_SHEET_ODS, ERR_SHEET_UNDER_WAY.
 */
export async function stageSheet(
  scope: Scope,
  files: StoredFile[],
  delimiter?: Delimiter,
): Promise<ContactSheet> {
  const [file, ...more] = files
  if (!file || more.length > 0) return refuse('ERR_BAD_REQUEST', { field: 'file' })
  if (file.type !== SPREADSHEET && !file.type.startsWith('text/'))
    return refuse(otherSheets[file.type] ?? 'ERR_FILE_TYPE', { field: 'file' })
  const userId = viewerOf(scope).id
  return orUnderWay(
    scope.transaction(async tx => {
      await deletePrevious(tx, userId)
      const sheet = await insertSheet(tx, userId, cut(file.name, 200))
      await tx.enqueue(readSheetJob, { sheetId: sheet.id, key: file.key, delimiter })
      return emitSheet(tx, sheet)
    }),
  )
}

type Choice = z.output<(typeof calls.choose)['body']>

/** Refuses with ERR_NOT_FOUND, ERR_SHEET_NOT_READY, ERR_NO_PERMISSION, ERR_BAD_REQUEST. */
export const chooseForSheet = (scope: Scope, sheetId: number, choice: Choice): Promise<ContactSheet> =>
  orUnderWay(
    scope.transaction(async tx => {
      const sheet = await ready(tx, sheetId)
      const { columns, categoryIds } = choice
      if (Object.values(choice).every(value => value === undefined)) return emitSheet(tx, sheet)
      if (categoryIds?.length) await checkCategories(tx, categoryIds)
      const other =
        (columns && !same(columns, sheet.columns)) ||
        (choice.twoReadings && choice.twoReadings !== sheet.twoReadings)
      if (columns && isOutside(columns, sheet)) return refuse('ERR_BAD_REQUEST', { field: 'columns' })
      if (other) await tx.enqueue(countSheetJob, { sheetId })
      return emitSheet(tx, await updateSheet(tx, sheetId, { ...choice, ...(other && { state: 'reading' }) }))
    }),
  )

/** Refuses with ERR_NOT_FOUND, ERR_SHEET_NOT_READY, ERR_SHEET_UNDER_WAY, and without a column of numbers ERR_BAD_REQUEST. */
export const startSheet = (scope: Scope, sheetId: number): Promise<ContactSheet> =>
  orUnderWay(
    scope.transaction(async tx => {
      const { columns } = await ready(tx, sheetId)
      if (columns.number === null) return refuse('ERR_BAD_REQUEST', { field: 'columns' })
      await tx.enqueue(importSheetJob, { sheetId })
      return emitSheet(tx, await updateSheet(tx, sheetId, { state: 'running' }))
    }),
  )

/** Stops an import; contacts already imported stay. Refuses with ERR_NOT_FOUND. */
export const cancelSheet = (scope: Scope, sheetId: number): Promise<ContactSheet> =>
  scope.transaction(async tx => {
    const sheet = await lockSheet(tx, sheetId)
    const isOver = sheet.state === 'done' || sheet.state === 'failed' || sheet.state === 'cancelled'
    return isOver ? toSheet(sheet) : emitSheet(tx, await endSheet(tx, sheetId, { state: 'cancelled' }))
  })

async function ready(tx: Tx, sheetId: number) {
  const sheet = await lockSheet(tx, sheetId)
  return sheet.state === 'ready' ? sheet : refuse('ERR_SHEET_NOT_READY')
}

async function checkCategories(tx: Tx, categoryIds: number[]) {
  if (!may(viewerOf(tx), 'contacts:categorize')) refuse('ERR_NO_PERMISSION', { field: 'categoryIds' })
  const wanted = new Set(categoryIds)
  if ((await knownCategories(tx, [...wanted])).length < wanted.size)
    refuse('ERR_NOT_FOUND', { field: 'categoryIds' })
}

const same = (one: SheetColumns, other: SheetColumns) =>
  (['name', 'number', 'email', 'owner'] as const).every(
    field => (one[field] ?? null) === (other[field] ?? null),
  )

const isOutside = (columns: SheetColumns, { header }: SheetRecord) =>
  Object.values(columns).some(column => column !== null && column >= header.length)

function emitSheet(tx: Tx, record: SheetRecord) {
  const sheet = toSheet(record)
  tx.emit(sheetChanged, { sheet, userId: record.userId })
  return sheet
}

const orUnderWay = <T>(work: Promise<T>) =>
  work.catch((error: unknown) =>
    isUniqueViolation(error, 'contact_sheets_one')
      ? refuse('ERR_SHEET_UNDER_WAY', { field: 'file' })
      : Promise.reject(error),
  )
