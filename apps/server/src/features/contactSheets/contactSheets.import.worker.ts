import { type Viewer, viewerFrom } from '@balcao/contract/permissions.rules.ts'
import { isUniqueViolation } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { emitOwners } from '../contacts/contacts.owners.actions.ts'
import { usersByIds } from '../users/users.queries.ts'
import { sheetChanged } from './contactSheets.events.ts'
import { importRows, nextStop, planWithoutStatistics } from './contactSheets.import.queries.ts'
import { endSheet, lockSheetOrNull, type SheetRecord, toSheet, updateSheet } from './contactSheets.queries.ts'

/** Rows imported in one transaction: short locks, and little is repeated after a crash. */
const AT_ONCE = 250

/** Imports the rows, from where a crashed try ended, until there are none or the import is cancelled. */
export async function importSheet(scope: Scope, sheetId: number): Promise<void> {
  while (await withRetry(() => scope.transaction(tx => importSome(tx, sheetId))));
}

/** An inbound message may add the same contact concurrently: at the second try it is known. */
async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'contact_identifiers')) throw error
    return work()
  }
}

async function importSome(tx: Tx, sheetId: number): Promise<boolean> {
  const sheet = await lockSheetOrNull(tx, sheetId)
  if (sheet?.state !== 'running') return false
  await planWithoutStatistics(tx)
  const { stop, many } = await nextStop(tx, sheet, AT_ONCE)
  if (stop !== null)
    emitOwners(tx, await importRows(tx, { sheet, upTo: stop, viewer: await importerOf(tx, sheet) }))
  const now =
    stop === null
      ? await endSheet(tx, sheetId, { state: 'done' })
      : await updateSheet(tx, sheetId, { reached: stop, done: sheet.done + many })
  tx.emit(sheetChanged, { sheet: toSheet(now), userId: sheet.userId })
  if (stop === null) tx.note('a spreadsheet of contacts was imported', { sheetId, imported: now.done })
  return stop !== null
}

/** Jobs have no viewer, and the rights of who brought the sheet may change: they are asked with each commit. */
async function importerOf(tx: Tx, { userId }: SheetRecord): Promise<Viewer | null> {
  const [user] = userId === null ? [] : await usersByIds(tx, [userId])
  return user ? viewerFrom(user) : null
}
