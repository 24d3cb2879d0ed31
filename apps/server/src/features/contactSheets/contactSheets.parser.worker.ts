import { MAX_SHEET_ROWS } from '@balcao/contract/contactSheets.bounds.rules.ts'
import type { Delimiter } from '@balcao/contract/contactSheets.ts'
import { withoutGuard } from '@balcao/contract/csv.rules.ts'
import { type FileFault, SheetRefused } from './contactSheets.fault.rules.ts'

/** A process of its own that reads a spreadsheet and sends it in parts, the next on request. */

export type SheetPart = { rows: string[][] } | { end: true } | FileFault

/** One part is written in one transaction. */
const PART_ROWS = 50
const PART_LENGTH = 262_144
const LOOK_MS = 5

const [path, kind, mostBytes, delimiter] = process.argv.slice(2) as [
  string,
  'csv' | 'workbook',
  string,
  Delimiter | undefined,
]

// what ends the product ends this process, when the channel to it closes
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

// buffers are no part of the limited heap; a file is read piece by piece, so that this runs between two of them
setInterval(() => {
  if (process.memoryUsage.rss() > Number(mostBytes))
    process.send!({ fault: 'tooLarge', row: null } satisfies SheetPart, () => process.exit())
}, LOOK_MS)

const parts = partsOf()
process.on('message', () => void reply())
await reply()

async function reply() {
  process.send!(await next())
}

async function next(): Promise<SheetPart> {
  try {
    const { value } = await parts.next()
    return value ? { rows: value } : { end: true }
  } catch (error) {
    return error instanceof SheetRefused ? error.fault : { fault: 'notASheet', row: null }
  }
}

/** A file is read twice: what is wrong anywhere in it is found before its first row is stored. */
async function* partsOf(): AsyncGenerator<string[][], void, undefined> {
  let count = 0
  for await (const _row of rowsOf()) if (++count > MAX_SHEET_ROWS + 1) throw new SheetRefused('tooManyRows')
  if (count === 0) throw new SheetRefused('empty')
  let part: string[][] = []
  let length = 0
  for await (const row of rowsOf()) {
    part.push(row)
    length += row.reduce((sum, cell) => sum + cell.length, 0)
    if (part.length < PART_ROWS && length < PART_LENGTH) continue
    yield part
    part = []
    length = 0
  }
  if (part.length > 0) yield part
}

async function* rowsOf(): AsyncGenerator<string[], void, undefined> {
  // the process begins sooner with one of both
  const rows =
    kind === 'csv'
      ? (await import('./contactSheets.csv.worker.ts')).rowsOfCsv(path, delimiter)
      : (await import('./contactSheets.workbook.worker.ts')).rowsOfWorkbook(path)
  for await (const row of rows) if (row.some(cell => cell !== '')) yield row.map(withoutGuard)
}
