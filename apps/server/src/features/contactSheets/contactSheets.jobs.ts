import { chore, job } from '../../platform/work/jobs.ts'
import { giveUpSheet, type KeptSheet, readSheetRows, recount } from './contactSheets.count.worker.ts'
import { importSheet } from './contactSheets.import.worker.ts'
import { dropOldSheets } from './contactSheets.queries.ts'

export const readSheetJob = job<KeptSheet>(
  'contactSheets.read',
  (scope, kept, { files }) => readSheetRows(scope, kept, files),
  { givenUp: (scope, { sheetId, key }) => giveUpSheet(scope, sheetId, key) },
)

export const countSheetJob = job<{ sheetId: number }>(
  'contactSheets.weigh',
  (scope, { sheetId }) => recount(scope, sheetId),
  { givenUp: (scope, { sheetId }) => giveUpSheet(scope, sheetId) },
)

export const importSheetJob = job<{ sheetId: number }>(
  'contactSheets.take',
  (scope, { sheetId }) => importSheet(scope, sheetId),
  { givenUp: (scope, { sheetId }) => giveUpSheet(scope, sheetId) },
)

export const jobs = [
  readSheetJob,
  countSheetJob,
  importSheetJob,
  chore(
    'contactSheets.dropOld',
    '23 * * * *',
    async scopes => void (await scopes.platform().transaction(dropOldSheets)),
  ),
]
