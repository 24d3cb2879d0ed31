import type { ContactSheet, SheetRow } from '@balcao/contract/contactSheets.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain } from '../../platform/query.ts'
import { importRow, rowsOfSheet } from './contactSheets.api.ts'
import { useSheetText } from './contactSheets.text.ts'

/** The documented pace, and how often progress is reported. */
const PACE_MS = 150
const REPORT_EVERY = 5

/**
 * Sends a short spreadsheet row by row, also refused rows: each is reported by its name, and the rest goes
 * on.
 */
export async function importRowByRow(
  sheet: ContactSheet,
  onProgress: (done: number) => void,
): Promise<number> {
  const rows = (await rowsOfSheet(sheet.id)).filter(({ state }) => state !== 'doubled')
  const paced = pace()
  let done = 0
  for (const [at, row] of rows.entries()) {
    await paced()
    if (await isImported(row)) onProgress(++done)
    if ((at + 1) % REPORT_EVERY === 0) report(at + 1, rows.length)
  }
  await askAgain({ queryKey: ['contacts'] })
  return done
}

const isImported = (row: SheetRow) =>
  importRow(row).then(
    () => true,
    () => {
      notify.warn(useSheetText.read('rowFailed', { name: row.name, number: row.number }), { seconds: 10 })
      return false
    },
  )

const report = (done: number, all: number) =>
  notify.info(useSheetText.read('progress', { done, all }), { id: 'contacts imported' })

/** Resolves at a fixed rate; the first time at once. */
function pace() {
  let next = 0
  return async () => {
    const now = performance.now()
    if (next > now) await new Promise(resolve => setTimeout(resolve, next - now))
    next = Math.max(now, next) + PACE_MS
  }
}
