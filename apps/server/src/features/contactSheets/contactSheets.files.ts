import { CSV_BEGINS, csvLine, spreadsheet } from '../../platform/sheets.ts'

/** Rows come in parts, the head first: a large list is never whole in memory. */
export type Parts = AsyncIterable<string[][]>

export async function* csvOf(parts: Parts): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_BEGINS)
  for await (const rows of parts) yield Buffer.from(rows.map(csvLine).join(''))
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
