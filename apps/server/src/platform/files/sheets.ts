import { addAbortSignal, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { harmless } from '@balcao/contract/csv.rules.ts'
import { ZipFile } from 'yazl'

/** The content of a cell: a text, a moment as spreadsheets count them (days since 1899-12-30), a plain number, or nothing. */
export type Cell = string | number | { count: number } | null

/** How many rows a sheet may have; further rows are on the next one. */
const MOST_ROWS = 1_048_576

/** So much text goes into the packer at once. */
const PIECE = 64 * 1024

/**
 * A spreadsheet (.xlsx) of any length, as it is made: it is streamed. The first row is the head, on
 * every sheet. Numbers are shown as day and hour. A text stays a text: none is ever reckoned as a formula.
 */
export async function* spreadsheet(
  head: string[],
  rows: AsyncIterable<Cell[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const archive = new ZipFile()
  const out = archive.outputStream as Readable
  // first, and not packed: by it others know what kind of archive this is
  archive.addBuffer(Buffer.from(TYPES), '[Content_Types].xml', { compress: false })
  const filling = fill(archive, sheetsOf(head, rows))
  // a failure on the way reaches the reader
  archive.on('error', error => out.destroy(error as Error))
  filling.catch(error => out.destroy(error))
  yield* out
  await filling
}

async function fill(archive: ZipFile, sheets: AsyncIterable<AsyncIterable<string>>) {
  let count = 0
  for await (const sheet of sheets) {
    count += 1
    const source = Readable.from(inPieces(sheet), { objectMode: false })
    archive.addReadStream(source, `xl/worksheets/sheet${count}.xml`)
    // who stops reading ends what is packed, and with it where it comes from
    await finished(addAbortSignal(endOf(archive.outputStream), source), { writable: false })
  }
  archive.addBuffer(Buffer.from(ROOT), '_rels/.rels')
  archive.addBuffer(Buffer.from(STYLES), 'xl/styles.xml')
  archive.addBuffer(Buffer.from(workbook(count)), 'xl/workbook.xml')
  archive.addBuffer(Buffer.from(relations(count)), 'xl/_rels/workbook.xml.rels')
  archive.end()
}

/** Aborts when the reader has ended. */
function endOf(stream: NodeJS.ReadableStream): AbortSignal {
  const ended = new AbortController()
  stream.once('close', () => ended.abort())
  return ended.signal
}

/** The texts of one sheet after the other; there is always one. */
async function* sheetsOf(head: string[], rows: AsyncIterable<Cell[]>): AsyncGenerator<AsyncIterable<string>> {
  const source = rows[Symbol.asyncIterator]()
  let next = await source.next()
  do yield sheetOf()
  while (!next.done)

  async function* sheetOf() {
    yield `${OPENING}${rowOf(head, 1)}`
    for (let at = 2; at <= MOST_ROWS && !next.done; at++) {
      yield rowOf(next.value, at)
      next = await source.next()
    }
    yield '</sheetData></worksheet>'
  }
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting = ''
  for await (const text of texts) {
    waiting += text
    if (waiting.length < PIECE) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  if (waiting) yield Buffer.from(waiting)
}

const rowOf = (cells: Cell[], at: number) =>
  `<row r="${at}">${cells.map((cell, column) => cellOf(cell, `r="${columnName(column)}${at}"`)).join('')}</row>`

function cellOf(cell: Cell, place: string): string {
  if (cell === null || cell === '') return `<c ${place}/>`
  if (typeof cell === 'number') return `<c ${place} s="1"><v>${cell}</v></c>`
  if (typeof cell === 'object') return `<c ${place}><v>${cell.count}</v></c>`
  return `<c ${place} s="2" t="inlineStr"><is><t xml:space="preserve">${inXml(harmless(cell))}</t></is></c>`
}

/** As spreadsheets name their columns: A to Z, AA and so on. */
export const columnName = (at: number): string =>
  (at >= 26 ? columnName(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Half characters and control characters are not allowed in XML. */
const inXml = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>]/g, mark => marks[mark]!)

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Whatever is not named is a sheet, since their number is not known yet. */
const TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${KIND}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/></Types>`
const ROOT = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
/** 1: a moment. 2: a text, also if somebody edits it. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm:ss"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf quotePrefix="1"/></cellXfs></styleSheet>`
const OPENING = `${XML}<worksheet xmlns="${MAIN}"><sheetData>`

const each = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at + 1)).join('')

const workbook = (sheets: number) =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each(sheets, at => `<sheet name="${at}" sheetId="${at}" r:id="rId${at}"/>`)}</sheets></workbook>`

const relations = (sheets: number) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each(sheets, at => `<Relationship Id="rId${at}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at}.xml"/>`)}<Relationship Id="rId0" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`
