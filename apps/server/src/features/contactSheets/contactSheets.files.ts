import { harmless, spreadsheet } from '../../platform/sheets.ts'

/** Rows come in parts, the head first: a large list is never whole in memory. */
export type Parts = AsyncIterable<string[][]>

/** Semicolons and a mark of UTF-8: what Brazilian spreadsheets open with a double click. */
export async function* csvOf(parts: Parts): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\ufeff')
  for await (const rows of parts)
    yield Buffer.from(rows.map(row => `${row.map(csvCell).join(';')}\r\n`).join(''))
}

const csvCell = (cell: string) => {
  const text = harmless(cell)
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A workbook whose cells are all text: long numbers keep their digits, and nothing is run. */
export async function* xlsxOf(parts: Parts): AsyncGenerator<Uint8Array> {
  const rows = oneByOne(parts)
  const head = await rows.next()
  yield* spreadsheet(head.done ? [] : head.value, rows)
}

async function* oneByOne(parts: Parts): AsyncGenerator<string[], void, undefined> {
  for await (const rows of parts) yield* rows
}
