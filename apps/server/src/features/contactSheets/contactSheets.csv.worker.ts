import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import {
  MAX_SHEET_CELL,
  MAX_SHEET_COLUMNS,
  MAX_SHEET_ROW_LENGTH,
} from '@balcao/contract/contactSheets.bounds.rules.ts'
import type { Delimiter } from '@balcao/contract/contactSheets.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { parse } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'
import { SheetRefused } from './contactSheets.fault.rules.ts'

/** The delimiter is guessed from so many characters and rows. */
const LOOKED_AT = 10_000
const LOOKED_ROWS = 50

/** The rows of a CSV file, read piece by piece; refuses with SheetRefused. */
export async function* rowsOfCsv(
  path: string,
  delimiter?: Delimiter,
): AsyncGenerator<string[], void, undefined> {
  const { encoding, beginning } = await inspect(path)
  const rows = parse({
    ...lenient,
    delimiter: delimiter ? delimiters[delimiter] : delimiterOf(beginning),
    max_record_size: MAX_SHEET_ROW_LENGTH,
    cast: (cell, { index, lines }) => {
      if (index >= MAX_SHEET_COLUMNS) throw new SheetRefused('tooManyColumns', lines)
      return cut(cell.trim(), MAX_SHEET_CELL)
    },
  })
  // a failure of the first reaches whoever reads the second
  pipeline(Readable.from(textOf(path, encoding)), rows, () => {})
  try {
    for await (const row of rows) yield row as string[]
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number }
    throw code === 'CSV_MAX_RECORD_SIZE' ? new SheetRefused('rowTooLong', lines ?? null) : error
  }
}

/** UTF-8 where all of it is valid; else the encoding of Brazilian spreadsheets. Refuses what no text file holds. */
async function inspect(path: string) {
  const strict = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let encoding: string | null = null
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    encoding ??= bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : ''
    if (encoding) break
    if (bytes.includes(0)) throw new SheetRefused('notASheet')
    isUtf8 &&= fits(strict, bytes)
  }
  encoding ||= isUtf8 && fits(strict) ? 'utf-8' : 'windows-1252'
  let beginning = ''
  for await (const text of textOf(path, encoding)) {
    beginning += text
    if (beginning.length >= LOOKED_AT) break
  }
  return { encoding, beginning: cut(beginning, LOOKED_AT) }
}

/** Without bytes: whether the text ends with a whole character. */
function fits(strict: InstanceType<typeof TextDecoder>, bytes?: Buffer) {
  try {
    strict.decode(bytes, { stream: bytes !== undefined })
    return true
  } catch {
    return false
  }
}

async function* textOf(path: string, encoding: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of createReadStream(path)) {
    const text = decoder.decode(bytes as Buffer, { stream: true })
    if (text.includes('\0')) throw new SheetRefused('notASheet')
    if (text) yield text
  }
  yield decoder.decode()
}

const lenient = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true }

const delimiters: Record<Delimiter, string> = { semicolon: ';', comma: ',', tab: '\t' }

/** The one that gives the first rows equal columns; among those, the most. */
function delimiterOf(beginning: string): string {
  const whole = beginning.length < LOOKED_AT ? beginning : cut(beginning, beginning.lastIndexOf('\n') + 1)
  const looked = Object.values(delimiters).map(delimiter => {
    const widths = widthsBy(whole, delimiter)
    const width = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 1
    return { delimiter, width, equal: widths.filter(one => one === width).length }
  })
  const [best] = looked
    .filter(({ width }) => width > 1)
    .toSorted((a, b) => b.equal - a.equal || b.width - a.width)
  return best?.delimiter ?? ';'
}

function widthsBy(text: string, delimiter: string): number[] {
  try {
    const rows = parseNow(text, { ...lenient, delimiter, to: LOOKED_ROWS }) as string[][]
    return rows.map(row => row.length)
  } catch {
    // a quote that another delimiter leaves open
    return []
  }
}
