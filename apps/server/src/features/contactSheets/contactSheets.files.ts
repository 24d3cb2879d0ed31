import { neutral } from '@balcao/contract/contactSheets.rules.ts'
import { strToU8, Zip, ZipDeflate } from 'fflate'

/** Rows come in parts: a large list is never whole in memory. */
export type Parts = AsyncIterable<string[][]>

/** Semicolons and a mark of UTF-8: what Brazilian spreadsheets open with a double click. */
export async function* csvOf(parts: Parts): AsyncGenerator<Uint8Array> {
  yield strToU8('\ufeff')
  for await (const rows of parts) yield strToU8(rows.map(row => `${row.map(csvCell).join(';')}\r\n`).join(''))
}

const csvCell = (cell: string) => {
  const text = neutral(cell)
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A workbook of one sheet whose cells are all text: long numbers keep their digits, and nothing is run. */
export async function* xlsxOf(parts: Parts): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    out.push(chunk)
  })
  for (const [path, text] of Object.entries(frame)) entry(zip, path).push(strToU8(text), true)
  const sheet = entry(zip, 'xl/worksheets/sheet1.xml')
  sheet.push(strToU8(`${XML}<worksheet xmlns="${MAIN}"><sheetData>`))
  let at = 0
  for await (const rows of parts) {
    sheet.push(strToU8(rows.map(row => rowXml(row, ++at)).join('')))
    yield* out.splice(0)
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true)
  zip.end()
  yield* out.splice(0)
}

function entry(zip: Zip, path: string): ZipDeflate {
  const made = new ZipDeflate(path, { level: 4 })
  zip.add(made)
  return made
}

const rowXml = (row: string[], at: number) =>
  `<row r="${at}">${row.map((cell, column) => cellXml(cell, `${columnName(column)}${at}`)).join('')}</row>`

const cellXml = (cell: string, place: string) =>
  `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(neutral(cell))}</t></is></c>`

/** As spreadsheets name their columns: A to Z, AA and so on. */
export const columnName = (at: number): string =>
  (at >= 26 ? columnName(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))

const escaped = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[<>&]/g, sign => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[sign]!)

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const frame = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Contatos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}
