import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { MAX_SHEET_ROWS, type SheetFault } from '@balcao/contract/contactSheets.ts'
import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { open } from 'yauzl'

/** Reads a spreadsheet in a thread of its own, so that nobody waits for it, and hands it over in parts. */

const AT_ONCE = 2_000
const MAX_CELL = 4_096
const MAX_ENTRIES = 1_000
const MAX_UNPACKED = 300 * 1_048_576
const MAX_RATIO = 100
/** Small archives are packed tighter than that and harm nobody. */
const HARMLESS = 20 * 1_048_576

const { path, isArchive } = workerData as { path: string; isArchive: boolean }

class Fault extends Error {
  readonly fault: SheetFault
  constructor(fault: SheetFault) {
    super(fault)
    this.fault = fault
  }
}

try {
  const rows = isArchive ? await readArchive() : readText()
  if (rows.length === 0) throw new Fault('empty')
  if (rows.length > MAX_SHEET_ROWS + 1) throw new Fault('tooManyRows')
  for (let at = 0; at < rows.length; at += AT_ONCE)
    parentPort!.postMessage({ rows: rows.slice(at, at + AT_ONCE) })
  parentPort!.postMessage({ end: true })
} catch (error) {
  parentPort!.postMessage({ fault: error instanceof Fault ? error.fault : 'notASheet' })
}

async function readArchive(): Promise<string[][]> {
  await inspect()
  const rows = await readSheet(path)
  return rows.map(row => row.map(asText)).filter(filled)
}

/** The directory of the archive says how large it becomes: a bomb is not unpacked to find out. */
function inspect(): Promise<void> {
  return new Promise((done, fail) => {
    open(path, { lazyEntries: true, autoClose: true }, (error, archive) => {
      if (error) return fail(new Fault('notASheet'))
      let [entries, packed, unpacked] = [0, 0, 0]
      archive.on('entry', ({ compressedSize, uncompressedSize }) => {
        entries++
        packed += compressedSize
        unpacked += uncompressedSize
        const isBomb = unpacked > HARMLESS && unpacked > packed * MAX_RATIO
        if (entries > MAX_ENTRIES || unpacked > MAX_UNPACKED || isBomb) fail(new Fault('tooLarge'))
        else archive.readEntry()
      })
      archive.on('end', () => done())
      archive.on('error', () => fail(new Fault('notASheet')))
      archive.readEntry()
    })
  })
}

/** Formulas come as their values; a date is none of what a contact has. */
function asText(cell: unknown): string {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : cell.toExponential()
  return typeof cell === 'string' ? cell.slice(0, MAX_CELL) : ''
}

function readText(): string[][] {
  const text = decoded(readFileSync(path))
  if (text.includes('\0')) throw new Fault('notASheet')
  const rows: string[][] = parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: MAX_SHEET_ROWS + 2,
  })
  return rows.map(row => row.map(cell => cell.trim().slice(0, MAX_CELL))).filter(filled)
}

/** UTF-8 where it is that; else what Brazilian spreadsheets write. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** What stands most often in the first lines. */
function delimiterOf(text: string): string {
  const lines = text.slice(0, 10_000).split(/\r?\n/).slice(0, 10).join('\n')
  const count = (delimiter: string) => lines.split(delimiter).length
  return [';', ',', '\t'].toSorted((a, b) => count(b) - count(a))[0]!
}

function filled(row: string[]) {
  return row.some(cell => cell !== '')
}
