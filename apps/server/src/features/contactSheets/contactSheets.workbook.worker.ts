import { posix } from 'node:path'
import {
  MAX_SHEET_CELL,
  MAX_SHEET_COLUMNS,
  MAX_SHEET_ROW_LENGTH,
  MAX_SHEET_TEXT_BYTES,
  MAX_SHEET_TEXTS,
  MAX_SHEET_UNPACKED,
} from '@balcao/contract/contactSheets.bounds.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { type Archive, ArchiveTooLarge, openArchive } from '../../platform/files/unzip.ts'
import { SheetRefused } from './contactSheets.fault.rules.ts'
import { localName, readWholeXml, readXml } from './contactSheets.xml.worker.ts'

const BOUNDS = { entries: 1_000, unpacked: MAX_SHEET_UNPACKED, harmless: 20 * 1_048_576, ratio: 100 }
/** Sheets, and files that one file of a workbook names. */
const MAX_RELATIONS = 1_000

/**
 * The rows of the first sheet of a workbook (.xlsx) as texts, while it is unpacked: only the texts that cells share are
 * kept. Formulas come as their values; truth values, errors and ISO dates are left empty. Refuses with SheetRefused.
 */
export async function* rowsOfWorkbook(path: string): AsyncGenerator<string[], void, undefined> {
  try {
    const archive = await openArchive(path, BOUNDS)
    const { sheet, texts } = await partsOf(archive)
    const shared = new SharedTexts()
    if (texts) await readWholeXml(archive.bytes(texts), readerOfTexts(shared))
    const rows = new Rows(shared)
    for await (const _piece of readXml(archive.bytes(sheet), rows)) yield* rows.taken()
  } catch (error) {
    if (error instanceof SheetRefused) throw error
    throw new SheetRefused(error instanceof ArchiveTooLarge ? 'tooLarge' : 'notASheet')
  }
}

/** Which entries hold the first sheet and the shared texts; null where there are none. */
async function partsOf(archive: Archive) {
  const root = await relationsOf(archive, '_rels/.rels', '')
  const workbook = [...root.values()].find(({ kind }) => kind === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const { dir, base } = posix.parse(workbook)
  const relations = await relationsOf(archive, `${dir}/_rels/${base}.rels`, dir)
  let first: string | undefined
  const open = (name: string, attributes: Record<string, string>) => {
    if (name !== 'sheet') return
    first ??= Object.entries(attributes).find(([key]) => key.includes(':') && localName(key) === 'id')?.[1]
  }
  await readWholeXml(archive.bytes(workbook), { open })
  const sheet = relations.get(first ?? '')?.path
  if (!sheet) throw new SheetRefused('notASheet')
  const texts = [...relations.values()].find(({ kind }) => kind === 'sharedStrings')?.path
  return { sheet, texts: texts !== undefined && archive.sizes.has(texts) ? texts : null }
}

async function relationsOf(archive: Archive, name: string, folder: string) {
  const relations = new Map<string, { kind: string; path: string }>()
  const open = (element: string, { Id, Type = '', Target = '' }: Record<string, string>) => {
    if (element !== 'Relationship' || !Id) return
    if (relations.size >= MAX_RELATIONS) throw new SheetRefused('tooLarge')
    relations.set(Id, { kind: posix.basename(Type), path: posix.resolve('/', folder, Target).slice(1) })
  }
  if (archive.sizes.has(name)) await readWholeXml(archive.bytes(name), { open })
  return relations
}

const BLOCK = 1_048_576

/** Texts one after the other in blocks outside of the heap, each behind its length: a million of them cost their bytes. */
class SharedTexts {
  #blocks: Buffer[] = []
  #end = BLOCK
  #starts: number[] = []

  /** Refuses with SheetRefused beyond the bounds. */
  add(text: string) {
    const bytes = Buffer.from(text)
    if (this.#end + bytes.length + 2 > BLOCK) {
      if ((this.#blocks.length + 1) * BLOCK > MAX_SHEET_TEXT_BYTES) throw new SheetRefused('tooLarge')
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK))
      this.#end = 0
    }
    if (this.#starts.length >= MAX_SHEET_TEXTS) throw new SheetRefused('tooLarge')
    this.#starts.push((this.#blocks.length - 1) * BLOCK + this.#end)
    const block = this.#blocks.at(-1)!
    block.writeUInt16LE(bytes.length, this.#end)
    this.#end += 2 + bytes.copy(block, this.#end + 2)
  }

  /** Empty where there is none. */
  at(index: number): string {
    const start = this.#starts[index]
    if (start === undefined) return ''
    const block = this.#blocks[Math.floor(start / BLOCK)]!
    const from = (start % BLOCK) + 2
    return block.toString('utf8', from, from + block.readUInt16LE(from - 2))
  }
}

/** Collects the text of the elements `t`, those of pronunciations left out. */
class RichText {
  #depth = 0
  #isText = false
  text = ''

  open(name: string) {
    if (name === 'rPh') this.#depth++
    if (name === 't') this.#isText = this.#depth === 0
  }

  close(name: string) {
    if (name === 'rPh') this.#depth--
    if (name === 't') this.#isText = false
  }

  add(piece: string) {
    if (this.#isText && this.text.length <= MAX_SHEET_ROW_LENGTH) this.text += piece
  }
}

function readerOfTexts(texts: SharedTexts) {
  let rich = new RichText()
  return {
    open(name: string) {
      if (name === 'si') rich = new RichText()
      else rich.open(name)
    },
    close(name: string) {
      if (name === 'si') texts.add(cut(rich.text.trim(), MAX_SHEET_CELL))
      else rich.close(name)
    },
    text: (piece: string) => rich.add(piece),
  }
}

/** The rows of a sheet. */
class Rows {
  readonly #texts: SharedTexts
  #ready: string[][] = []
  #row = 0
  #cells: string[] = []
  #length = 0
  #column = -1
  #type = ''
  #value = ''
  #isValue = false
  #rich = new RichText()

  constructor(texts: SharedTexts) {
    this.#texts = texts
  }

  /** Those that are complete by now. */
  taken(): string[][] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  open(name: string, { r = '', t = 'n' }: Record<string, string>) {
    if (name === 'row') {
      this.#row = /^\d{1,7}$/.test(r) ? Number(r) : this.#row + 1
      ;[this.#cells, this.#length, this.#column] = [[], 0, -1]
    } else if (name === 'c') {
      this.#column = columnIn(r) ?? this.#column + 1
      ;[this.#type, this.#value, this.#rich] = [t, '', new RichText()]
    } else if (name === 'v') this.#isValue = true
    else this.#rich.open(name)
  }

  close(name: string) {
    if (name === 'row') this.#ready.push(this.#cells)
    else if (name === 'c') this.#put(this.#text())
    else if (name === 'v') this.#isValue = false
    else this.#rich.close(name)
  }

  text(piece: string) {
    if (!this.#isValue) this.#rich.add(piece)
    else if (this.#value.length <= MAX_SHEET_ROW_LENGTH) this.#value += piece
  }

  #text(): string {
    if (this.#type === 's') return this.#texts.at(Number(this.#value))
    if (this.#type === 'inlineStr') return this.#rich.text.trim()
    if (this.#type === 'str') return this.#value.trim()
    return this.#type === 'n' ? numberText(this.#value.trim()) : ''
  }

  #put(text: string) {
    if (text === '') return
    this.#length += text.length
    if (this.#column >= MAX_SHEET_COLUMNS) throw new SheetRefused('tooManyColumns', this.#row)
    if (this.#length > MAX_SHEET_ROW_LENGTH) throw new SheetRefused('rowTooLong', this.#row)
    while (this.#cells.length < this.#column) this.#cells.push('')
    this.#cells[this.#column] = cut(text, MAX_SHEET_CELL)
  }
}

/** The index of the column of a reference such as B12; null where it is none. Far ones have one index. */
function columnIn(reference: string): number | null {
  const [, letters] = /^([A-Z]{1,3})\d{1,7}$/.exec(reference) ?? []
  return letters ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1 : null
}

/** Whole numbers digit by digit; others as a spreadsheet would show a number that lost digits. */
function numberText(value: string): string {
  const number = Number(value)
  if (value === '' || Number.isNaN(number)) return ''
  return Number.isSafeInteger(number) ? String(number) : number.toExponential()
}
