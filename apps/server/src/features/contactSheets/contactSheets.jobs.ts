import { job } from '../../platform/jobs.ts'
import { takeSheet } from './contactSheets.take.ts'
import { type KeptSheet, readSheetRows, weighAgain } from './contactSheets.weigh.ts'

export const readSheetJob = job<KeptSheet>('contactSheets.read', (scope, kept, { files }) =>
  readSheetRows(scope, kept, files),
)

export const weighSheetJob = job<{ sheetId: number }>('contactSheets.weigh', (scope, { sheetId }) =>
  weighAgain(scope, sheetId),
)

export const takeSheetJob = job<{ sheetId: number }>('contactSheets.take', (scope, { sheetId }) =>
  takeSheet(scope, sheetId),
)

export const jobs = [readSheetJob, weighSheetJob, takeSheetJob]
