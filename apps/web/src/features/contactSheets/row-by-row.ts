import type { ContactSheet, SheetRow } from '@balcao/contract/contactSheets.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain } from '../../platform/query.ts'
import { importRow, rowsOfSheet } from './contactSheets.api.ts'
import { useSheetText } from './contactSheets.text.ts'

/** The pace of the documents, and how often they tell how far it is. */
const PACE_MS = 150
const TELL_EVERY = 5

/** Sends a short spreadsheet row by row, also those that were refused: each says so by its name, and the rest goes on. */
export async function importRowByRow(sheet: ContactSheet, told: (done: number) => void): Promise<number> {
  const rows = (await rowsOfSheet(sheet.id)).filter(({ state }) => state !== 'doubled')
  const paced = pace()
  let done = 0
  for (const [at, row] of rows.entries()) {
    await paced()
    if (await taken(row)) told(++done)
    if ((at + 1) % TELL_EVERY === 0) tell(at + 1, rows.length)
  }
  await askAgain({ queryKey: ['contacts'] })
  return done
}

const taken = (row: SheetRow) =>
  importRow(row).then(
    () => true,
    () => {
      notify.warn(useSheetText.read('rowFailed', { name: row.name, number: row.number }), { seconds: 10 })
      return false
    },
  )

const tell = (done: number, all: number) =>
  notify.info(useSheetText.read('progress', { done, all }), { id: 'contacts imported' })

/** A turn every so often; the first one at once. */
function pace() {
  let next = 0
  return async () => {
    const now = performance.now()
    if (next > now) await new Promise(resolve => setTimeout(resolve, next - now))
    next = Math.max(now, next) + PACE_MS
  }
}
