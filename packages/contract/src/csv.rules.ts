import { cut } from './cut.rules.ts'
import { turnsNamed } from './turning.rules.ts'

/** How many characters a cell may have in spreadsheets. */
const MOST_LETTERS = 32_767

/** A text, a number as it is to be written, or nothing. */
type CsvCell = string | { count: number | string } | null

/**
 * What programs read as the beginning of a formula has an apostrophe before it, also where the sheet is saved as CSV. A
 * line of a list ("- item") is none, unless it calls something: a function, or a program by `|`. What would turn the
 * direction of a text is written out.
 */
export const harmless = (text: string) => cut(turnsNamed(isFormula(text) ? `'${text}` : text), MOST_LETTERS)

/** Also one with an apostrophe already: it would be taken off again. */
const isFormula = (text: string) => /^'*[=+\-@\t\r]/.test(text) && !LISTED.test(text)

/** The text of a cell that `harmless` may have written. */
export const withoutGuard = (cell: string) =>
  cell.startsWith("'") && isFormula(cell) ? cell.replace("'", '') : cell

/** A mark of UTF-8 begins a file of lines with semicolons: what Brazilian spreadsheets open with a double click. */
export const CSV_BEGINS = '\ufeff'
export const csvLine = (cells: CsvCell[]) => `${cells.map(inCsv).join(';')}\r\n`

function inCsv(cell: CsvCell): string {
  if (cell === null) return ''
  // a number is the product's own: its minus begins no formula
  if (typeof cell === 'object') return String(cell.count)
  const text = harmless(cell)
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const LISTED = /^- +\p{L}(?!.*(\||[\p{L}\d.]\())/su
