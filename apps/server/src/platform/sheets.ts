import { crc32, createDeflateRaw } from 'node:zlib'

/** What stands in a cell: a text, a moment as spreadsheets count them (days since 1899-12-30), or nothing. */
export type Cell = string | number | null

/** How many rows a sheet may have; those beyond stand on the next one. */
const MOST_ROWS = 1_048_576
/** How many characters a cell may have. */
const MOST_LETTERS = 32_767

/**
 * A spreadsheet (.xlsx) of any length, as it is made: nothing of it is held. The first row is the head and stands on
 * every sheet. Numbers are shown as day and hour. A text stays a text: none is ever reckoned as a formula.
 */
export async function* spreadsheet(
  head: string[],
  rows: AsyncIterable<Cell[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const archive = new Archive()
  // first, and not packed: by it others know what kind of archive this is
  yield* archive.stored('[Content_Types].xml', TYPES)
  yield* archive.stored('_rels/.rels', ROOT)
  yield* archive.stored('xl/styles.xml', STYLES)
  const source = rows[Symbol.asyncIterator]()
  let sheets = 0
  let next = await source.next()
  do {
    sheets += 1
    yield* archive.packed(`xl/worksheets/sheet${sheets}.xml`, sheetOf())
  } while (!next.done)
  yield* archive.stored('xl/workbook.xml', workbook(sheets))
  yield* archive.stored('xl/_rels/workbook.xml.rels', relations(sheets))
  yield archive.end()

  async function* sheetOf() {
    yield `${OPENING}${rowOf(head)}`
    for (let at = 1; at < MOST_ROWS && !next.done; at++) {
      yield rowOf(next.value)
      next = await source.next()
    }
    yield '</sheetData></worksheet>'
  }
}

const rowOf = (cells: Cell[]) => `<row>${cells.map(cellOf).join('')}</row>`

function cellOf(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'number') return `<c s="1"><v>${cell}</v></c>`
  return `<c s="2" t="inlineStr"><is><t xml:space="preserve">${inXml(harmless(cell))}</t></is></c>`
}

/** What programs take for the beginning of a formula has an apostrophe before it, also where the sheet is saved as CSV. */
const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).slice(0, MOST_LETTERS)

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Half characters and control characters may not stand in XML at all. */
const inXml = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>]/g, mark => marks[mark]!)

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Whatever is not named is a sheet, since nobody knows yet how many there will be. */
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

/** So much text goes into the packer at once. */
const PIECE = 64 * 1024

/** A ZIP archive without end in sight: sizes and sums of packed files stand behind them. */
class Archive {
  readonly #index: Buffer[] = []
  #written = 0

  #out(bytes: Buffer) {
    this.#written += bytes.length
    return bytes
  }

  *stored(name: string, text: string) {
    const bytes = Buffer.from(text)
    const facts = { crc: crc32(bytes), packed: bytes.length, size: bytes.length }
    const at = this.#written
    yield this.#out(localHeader(name, 0, STORED, facts))
    yield this.#out(bytes)
    this.#index.push(entry(name, 0, STORED, facts, at))
  }

  async *packed(name: string, texts: AsyncIterable<string>) {
    const at = this.#written
    const facts = { crc: 0, packed: 0, size: 0 }
    yield this.#out(localHeader(name, SUMS_BEHIND, DEFLATED, facts))
    const packer = createDeflateRaw()
    const feeding = feed(packer, texts, facts)
    // who stops reading ends the packer, and with it what feeds it; told to whoever reads to the end
    feeding.catch(error => packer.destroy(error))
    for await (const bytes of packer as AsyncIterable<Buffer>) {
      facts.packed += bytes.length
      yield this.#out(bytes)
    }
    await feeding
    yield this.#out(sumsOf(facts))
    this.#index.push(entry(name, SUMS_BEHIND, DEFLATED, facts, at))
  }

  end(): Buffer {
    const directory = Buffer.concat(this.#index)
    const tail = Buffer.alloc(22)
    tail.writeUInt32LE(0x06054b50, 0)
    tail.writeUInt16LE(this.#index.length, 8)
    tail.writeUInt16LE(this.#index.length, 10)
    tail.writeUInt32LE(directory.length, 12)
    tail.writeUInt32LE(this.#written, 16)
    return Buffer.concat([directory, tail])
  }
}

function sumsOf({ crc, packed, size }: Facts): Buffer {
  const sums = Buffer.alloc(16)
  sums.writeUInt32LE(0x08074b50, 0)
  sums.writeUInt32LE(crc, 4)
  sums.writeUInt32LE(packed, 8)
  sums.writeUInt32LE(size, 12)
  return sums
}

interface Facts {
  crc: number
  packed: number
  size: number
}

async function feed(
  packer: ReturnType<typeof createDeflateRaw>,
  texts: AsyncIterable<string>,
  facts: Facts,
): Promise<void> {
  let waiting = ''
  const write = async () => {
    const bytes = Buffer.from(waiting)
    waiting = ''
    facts.crc = crc32(bytes, facts.crc)
    facts.size += bytes.length
    if (!packer.write(bytes)) await drained(packer)
  }
  for await (const text of texts) {
    waiting += text
    if (waiting.length >= PIECE) await write()
  }
  await write()
  packer.end()
}

/** Refuses when nobody reads on. */
const drained = (packer: ReturnType<typeof createDeflateRaw>) =>
  new Promise<void>((resolve, reject) => {
    const closed = () => reject(new Error('nobody reads on'))
    packer.once('close', closed)
    packer.once('drain', () => {
      packer.off('close', closed)
      resolve()
    })
  })

const STORED = 0
const DEFLATED = 8
const SUMS_BEHIND = 8
/** 1980-01-01: the first day that an archive knows. */
const DAY = 0x21

function localHeader(name: string, flags: number, method: number, { crc, packed, size }: Facts): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(DAY, 12)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(packed, 18)
  head.writeUInt32LE(size, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name)])
}

function entry(
  name: string,
  flags: number,
  method: number,
  { crc, packed, size }: Facts,
  at: number,
): Buffer {
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(20, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt16LE(method, 10)
  head.writeUInt16LE(DAY, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt32LE(at, 42)
  return Buffer.concat([head, Buffer.from(name)])
}
