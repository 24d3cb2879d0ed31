import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import {
  MAX_SHEET_COLUMNS,
  MAX_SHEET_ROW_LENGTH,
  MAX_SHEET_ROWS,
  type SheetFault,
} from '@balcao/contract/contactSheets.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { open } from 'yauzl'

/** A worker thread that parses a spreadsheet and posts it in parts, the next on request. */

/** One part is written in one transaction. */
const PART_ROWS = 50
const PART_LENGTH = 262_144
const MAX_CELL = 4_096
const MAX_ENTRIES = 1_000
const MAX_UNPACKED = 300 * 1_048_576
const MAX_RATIO = 100
/** Smaller archives may have a higher ratio. */
const HARMLESS = 20 * 1_048_576

const SHEET_ENTRY = /^xl\/worksheets\/[^/]+\.xml$/
/** A cell reference beyond column IV, the 256th, or in an impossible row. */
const OUTSIDE = /\sr="(?:(?:[A-Z]{3,}|I[W-Z]|[J-Z][A-Z])(\d+)|[A-Z]*\d{8,})"/
/** Overlap of chunks, so that a reference across two is found. */
const REFERENCE_LENGTH = 64

const { path, isArchive } = workerData as { path: string; isArchive: boolean }

class Fault extends Error {
  readonly fault: SheetFault
  readonly row: number | null
  constructor(fault: SheetFault, row: number | null = null) {
    super(fault)
    this.fault = fault
    this.row = row
  }
}

try {
  const rows = isArchive ? await readArchive() : readText()
  if (rows.length === 0) throw new Fault('empty')
  if (rows.length > MAX_SHEET_ROWS + 1) throw new Fault('tooManyRows')
  const parts = partsOf(rows)
  const post = () => parentPort!.postMessage(parts.next().value ?? { end: true })
  parentPort!.on('message', post)
  post()
} catch (error) {
  parentPort!.postMessage(faultOf(error))
}

function faultOf(error: unknown) {
  if (error instanceof Fault) return { fault: error.fault, row: error.row }
  const { code, lines } = error as { code?: string; lines?: number }
  return code === 'CSV_MAX_RECORD_SIZE'
    ? { fault: 'rowTooLong', row: lines ?? null }
    : { fault: 'notASheet', row: null }
}

function* partsOf(rows: string[][]): Generator<{ rows: string[][] }> {
  let part: string[][] = []
  let length = 0
  for (const row of rows) {
    part.push(row)
    length += row.reduce((sum, cell) => sum + cell.length, 0)
    if (part.length < PART_ROWS && length < PART_LENGTH) continue
    yield { rows: part }
    part = []
    length = 0
  }
  if (part.length > 0) yield { rows: part }
}

async function readArchive(): Promise<string[][]> {
  await inspect()
  const rows = await readSheet(path)
  return rows.map(bounded).filter(filled)
}

function bounded(row: unknown[], at: number): string[] {
  if (row.length > MAX_SHEET_COLUMNS) throw new Fault('tooManyColumns', at + 1)
  const cells = row.map(asText)
  const length = cells.reduce((sum, cell) => sum + cell.length, 0)
  if (length > MAX_SHEET_ROW_LENGTH) throw new Fault('rowTooLong', at + 1)
  return cells.map(cell => cut(cell, MAX_CELL))
}

/** Reads the size from the archive's directory, so that a zip bomb is not unpacked. */
function inspect(): Promise<void> {
  return new Promise((done, fail) => {
    open(path, { lazyEntries: true, autoClose: true }, (error, archive) => {
      if (error) return fail(new Fault('notASheet'))
      let [entries, packed, unpacked] = [0, 0, 0]
      archive.on('entry', entry => {
        entries++
        packed += entry.compressedSize
        unpacked += entry.uncompressedSize
        const isBomb = unpacked > HARMLESS && unpacked > packed * MAX_RATIO
        if (entries > MAX_ENTRIES || unpacked > MAX_UNPACKED || isBomb) fail(new Fault('tooLarge'))
        else if (!SHEET_ENTRY.test(entry.fileName)) archive.readEntry()
        else
          archive.openReadStream(entry, (broken, stream) => {
            if (broken) return fail(new Fault('notASheet'))
            checkReferences(stream).then(() => archive.readEntry(), fail)
          })
      })
      archive.on('end', () => done())
      archive.on('error', () => fail(new Fault('notASheet')))
      archive.readEntry()
    })
  })
}

/** The parser fills all cells before a reference with empty ones: far references are refused before parsing. */
async function checkReferences(stream: AsyncIterable<Buffer>): Promise<void> {
  let rest = ''
  for await (const chunk of stream) {
    const text = rest + chunk.toString('latin1')
    const found = OUTSIDE.exec(text)
    if (found) throw found[1] ? new Fault('tooManyColumns', Number(found[1])) : new Fault('tooManyRows')
    rest = text.slice(-REFERENCE_LENGTH)
  }
}

/** Formulas come as values; dates are left empty. */
function asText(cell: unknown): string {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : cell.toExponential()
  return typeof cell === 'string' ? cell : ''
}

function readText(): string[][] {
  const text = decoded(readFileSync(path))
  if (text.includes('\0')) throw new Fault('notASheet')
  const rows: string[][] = parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_SHEET_ROW_LENGTH,
    cast: (cell, { index, lines }) => {
      if (index >= MAX_SHEET_COLUMNS) throw new Fault('tooManyColumns', lines)
      return cut(cell.trim(), MAX_CELL)
    },
    to: MAX_SHEET_ROWS + 2,
  })
  return rows.filter(filled)
}

/** UTF-8 where valid; else the encoding of Brazilian spreadsheets. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The most frequent one in the first lines. */
function delimiterOf(text: string): string {
  const lines = cut(text, 10_000).split(/\r?\n/).slice(0, 10).join('\n')
  const count = (delimiter: string) => lines.split(delimiter).length
  return [';', ',', '\t'].toSorted((a, b) => count(b) - count(a))[0]!
}

function filled(row: string[]) {
  return row.some(cell => cell !== '')
}
