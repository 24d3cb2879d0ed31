import type { ContactSheet, contactSheets as calls, SheetColumns } from '@balcao/contract/contactSheets.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { z } from 'zod'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq, notInArray, sql as tag } from '../../platform/sql.ts'
import { knownCategories } from '../categories/categories.queries.ts'
import { sheetChanged } from './contactSheets.events.ts'
import { readSheetJob, takeSheetJob, weighSheetJob } from './contactSheets.jobs.ts'
import { lockSheet, type SheetRecord, toSheet, updateSheet } from './contactSheets.queries.ts'
import { contactSheets } from './contactSheets.table.ts'

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Takes a spreadsheet to be read; what the caller brought before goes when it is over, and what is of yesterday. Refuses
 * with ERR_BAD_REQUEST, ERR_FILE_TYPE, ERR_SHEET_UNDER_WAY.
 */
export async function stageSheet(scope: Scope, files: StoredFile[]): Promise<ContactSheet> {
  const [file, ...more] = files
  if (!file || more.length > 0) return refuse('ERR_BAD_REQUEST', { field: 'file' })
  if (file.type !== SPREADSHEET && !file.type.startsWith('text/'))
    return refuse('ERR_FILE_TYPE', { field: 'file' })
  const userId = viewerOf(scope).id
  return orUnderWay(
    scope.transaction(async tx => {
      await tx.sql.delete(contactSheets).where(
        and(
          eq(contactSheets.companyId, tx.companyId),
          notInArray(contactSheets.state, ['reading', 'running']),
          // others may be choosing from theirs
          tag`(${contactSheets.userId} = ${userId} or ${contactSheets.createdAt} < now() - interval '1 day')`,
        ),
      )
      const [made] = await tx.sql
        .insert(contactSheets)
        .values({ companyId: tx.companyId, userId, fileName: file.name.slice(0, 200) })
        .returning()
      await tx.enqueue(readSheetJob, { sheetId: made!.id, key: file.key })
      return told(tx, made!)
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
      if (Object.values(choice).every(value => value === undefined)) return told(tx, sheet)
      if (categoryIds?.length) await checkCategories(tx, categoryIds)
      const other = columns && !same(columns, sheet.columns)
      if (columns && isOutside(columns, sheet)) return refuse('ERR_BAD_REQUEST', { field: 'columns' })
      if (other) await tx.enqueue(weighSheetJob, { sheetId })
      return told(tx, await updateSheet(tx, sheetId, { ...choice, ...(other && { state: 'reading' }) }))
    }),
  )

/** Refuses with ERR_NOT_FOUND, ERR_SHEET_NOT_READY, ERR_SHEET_UNDER_WAY, and without a column of numbers ERR_BAD_REQUEST. */
export const startSheet = (scope: Scope, sheetId: number): Promise<ContactSheet> =>
  orUnderWay(
    scope.transaction(async tx => {
      const { columns } = await ready(tx, sheetId)
      if (columns.number === null) return refuse('ERR_BAD_REQUEST', { field: 'columns' })
      await tx.enqueue(takeSheetJob, { sheetId })
      return told(tx, await updateSheet(tx, sheetId, { state: 'running' }))
    }),
  )

/** What was taken stays. Refuses with ERR_NOT_FOUND. */
export const cancelSheet = (scope: Scope, sheetId: number): Promise<ContactSheet> =>
  scope.transaction(async tx => {
    const sheet = await lockSheet(tx, sheetId)
    const isOver = sheet.state === 'done' || sheet.state === 'failed' || sheet.state === 'cancelled'
    return isOver ? toSheet(sheet) : told(tx, await updateSheet(tx, sheetId, { state: 'cancelled' }))
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
  one.name === other.name && one.number === other.number && one.email === other.email

const isOutside = (columns: SheetColumns, { header }: SheetRecord) =>
  Object.values(columns).some(column => column !== null && column >= header.length)

function told(tx: Tx, record: SheetRecord) {
  const sheet = toSheet(record)
  tx.emit(sheetChanged, { sheet })
  return sheet
}

const orUnderWay = <T>(work: Promise<T>) =>
  work.catch((error: unknown) =>
    isUniqueViolation(error, 'contact_sheets_one')
      ? refuse('ERR_SHEET_UNDER_WAY', { field: 'file' })
      : Promise.reject(error),
  )
