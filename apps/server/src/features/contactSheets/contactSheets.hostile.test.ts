import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_SHEET_TEXTS } from '@balcao/contract/contactSheets.bounds.rules.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { archiveOf, type OddEntry, workbookOf } from '../../../testing/archives.ts'
import { rowsOfCsv } from './contactSheets.csv.worker.ts'
import { SheetRefused } from './contactSheets.fault.rules.ts'
import { readApart } from './contactSheets.read.worker.ts'
import { rowsOfWorkbook } from './contactSheets.workbook.worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'hostile-sheets-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
function stored(bytes: Buffer | string) {
  const path = join(folder, `file ${++files}`)
  writeFileSync(path, bytes)
  return path
}

/** Its rows, or its fault; ten rows are enough to compare. */
async function read(rows: AsyncIterable<string[]>) {
  const first: string[][] = []
  try {
    for await (const row of rows) if (first.length < 10) first.push(row)
    return first
  } catch (error) {
    if (error instanceof SheetRefused) return Object.values(error.fault).filter(value => value !== null)
    throw error
  }
}
const workbook = (entries: OddEntry[], how = {}) => read(rowsOfWorkbook(stored(archiveOf(entries, how))))

const ana = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><v>5.511987654321E12</v></c></row>'
const strings = '<si><t> Ana </t></si><si><r><t>Be</t></r><r><t>a</t></r><rPh><t>x</t></rPh></si>'
const ROWS = [['Ana', '', '5511987654321']]
const SHEET = 'xl/worksheets/sheet1.xml'
const STRINGS = 'xl/sharedStrings.xml'
const MB = 1_048_576
const zeros = (megabytes: number) => Buffer.alloc(megabytes * MB, 32)

describe('a workbook is read as its directory says, and', () => {
  test('its texts, numbers and empty cells come in their columns', async () => {
    const row = `<x:row><x:c t="inlineStr"><x:is><x:t>A &amp; B</x:t></x:is></x:c><x:c t="b"><x:v>1</x:v></x:c>
      <x:c t="str"><x:f>1+1</x:f><x:v>Dois</x:v></x:c><x:c><x:v>0.5</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c><x:c r="XFD1" s="1"/></x:row>`
    const sheet = `${ana}${row}`.replace('<x:row>', '<x:row xmlns:x="urn:x">')
    expect(await workbook(workbookOf(sheet, strings))).toEqual([
      ...ROWS,
      ['A & B', '', 'Dois', '5e-1', 'Bea'],
    ])
  })

  test('the sizes may be those of large archives', async () => {
    expect(await workbook(workbookOf(ana, strings), { isZip64: true })).toEqual(ROWS)
  })

  test('entries that only a reader of local headers would find are not unpacked', async () => {
    const hidden = { name: 'xl/worksheets/sheet1.xml', content: zeros(3), isHidden: true }
    expect(await workbook([hidden, ...workbookOf(ana, strings), hidden])).toEqual(ROWS)
  })

  test('a local header that says another name changes nothing', async () => {
    const entries = workbookOf(ana, strings).map(entry => ({ ...entry, localName: 'xl/workbook.xml' }))
    expect(await workbook(entries)).toEqual(ROWS)
  })

  test('entries at the same bytes are each of them', async () => {
    const entries = workbookOf(ana, strings)
    const sheet = entries.findIndex(({ name }) => name === SHEET)
    expect(
      await workbook(entries.map(entry => (entry.name === STRINGS ? { ...entry, overlaps: sheet } : entry))),
    ).toEqual([['', '', '5511987654321']])
  })

  test('a range that is said to be enormous costs nothing', async () => {
    const dimension = '<dimension ref="A1:XFD1048576"/>'
    expect(await workbook(workbookOf(ana, strings, dimension))).toEqual(ROWS)
  })
})

/** The same workbook with another entry in the place of one of the same name. */
const withEntry = (one: OddEntry) =>
  workbookOf(ana, strings).map(entry => (entry.name === one.name ? one : entry))
const deep = '<a>'.repeat(5_000)
const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>`
const manyColumns = `<row>${'<c><v>1</v></c>'.repeat(16_384)}</row>`

describe('a workbook fails that', () => {
  test.each<[string, unknown[], () => OddEntry[]]>([
    [
      'unpacks to a thousand times its size',
      ['tooLarge'],
      () => withEntry({ name: SHEET, content: zeros(24) }),
    ],
    [
      'unpacks to more than its directory says',
      ['notASheet'],
      () => withEntry({ name: SHEET, content: zeros(24), claimed: zeros(1) }),
    ],
    [
      'names an entry twice',
      ['notASheet'],
      () => [...workbookOf(ana, strings), { name: SHEET, content: '' }],
    ],
    [
      'has more entries than a workbook has',
      ['tooLarge'],
      () => [
        ...workbookOf(ana),
        ...Array.from({ length: 1_001 }, (_, at) => ({ name: `${at}`, content: '' })),
      ],
    ],
    [
      'names thousands of parts',
      ['tooLarge'],
      () =>
        withEntry({
          name: 'xl/_rels/workbook.xml.rels',
          content: `<R>${Array.from({ length: 2_000 }, (_, at) => `<Relationship Id="${at}"/>`).join('')}</R>`,
        }),
    ],
    [
      'has more shared texts than are kept',
      ['tooLarge'],
      () => workbookOf(ana, '<si/>'.repeat(MAX_SHEET_TEXTS + 1)),
    ],
    ['fills 16,384 columns', ['tooManyColumns', 1], () => workbookOf(manyColumns)],
    [
      'fills a far column',
      ['tooManyColumns', 7],
      () => workbookOf('<row r="7"><c r="XFD7"><v>1</v></c></row>'),
    ],
    [
      'has a cell of megabytes',
      ['rowTooLong', 2],
      () => workbookOf(`<row r="2"><c t="str"><v>${'ab '.repeat(MB)}</v></c></row>`),
    ],
    ['is nested deep', ['notASheet'], () => workbookOf(deep)],
    ['brings entities of its own', ['notASheet'], () => withEntry({ name: SHEET, content: laughs })],
    [
      'names entities that it does not bring',
      ['notASheet'],
      () => workbookOf('<row><c><v>&b;</v></c></row>'),
    ],
    ['has an attribute of a megabyte', ['notASheet'], () => workbookOf(`<row r="${'a'.repeat(MB)}"/>`)],
    ['has a comment of a megabyte', ['notASheet'], () => workbookOf(`<!--${'a'.repeat(MB)}-->`)],
    [
      'has an element with thousands of attributes',
      ['notASheet'],
      () => workbookOf(`<row ${Array.from({ length: 5_000 }, (_, at) => `a${at}="" `).join('')}/>`),
    ],
    [
      'ends in the middle',
      ['notASheet'],
      () => withEntry({ name: SHEET, content: '<worksheet><sheetData><row>' }),
    ],
  ])('%s', async (_what, fault, entries) => {
    expect(await workbook(entries())).toEqual(fault)
  })
})

test('a CSV file without an end of line, or with a quote that never closes, fails at the bound of a row', async () => {
  const [line, quote] = [stored('a'.repeat(5 * MB)), stored(`nome;numero\nAna;"1\n${'b\n'.repeat(MB)}`)]
  expect(await read(rowsOfCsv(line))).toEqual(['rowTooLong', 1])
  expect((await read(rowsOfCsv(quote)))[0]).toBe('rowTooLong')
  expect(await read(rowsOfCsv(stored(`nome;numero\nAna;1\0`)))).toEqual(['notASheet'])
})

/** The most that a process which this one began has in memory, in MB, while `work` runs. */
async function peakBeside(work: Promise<unknown>): Promise<number> {
  let peak = 0
  const look = setInterval(() => {
    for (const pid of readdirSync('/proc/self/task').flatMap(childrenOf))
      peak = Math.max(peak, residentOf(pid))
  }, 10)
  await work.finally(() => clearInterval(look))
  return peak
}
const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it ended meanwhile
  }
}
const childrenOf = (task: string) => textOf(`/proc/self/task/${task}/children`).split(' ').filter(Boolean)
const residentOf = (pid: string) =>
  Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024

test.runIf(process.platform === 'linux')(
  'the process that reads has a bound of memory, and ends where it is reached',
  async () => {
    // texts of two bytes a character, each cut to 4,096 of them, until the bound of texts is reached
    const texts = Array.from({ length: 3_000 }, (_, at) => `<si><t>${`${at}ж`.repeat(1_500)}</t></si>`).join(
      '',
    )
    const path = stored(archiveOf(workbookOf(ana, texts)))
    const reading = readApart(path, 'workbook', async () => {})
    expect(await peakBeside(reading)).toBeLessThan(160)
    expect(await reading).toEqual({ fault: 'tooLarge', row: null })
  },
)
