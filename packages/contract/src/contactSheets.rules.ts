import type { RowFault, SheetColumns } from './contactSheets.ts'
import { isScientific } from './contacts.rules.ts'
import { cut } from './cut.rules.ts'
import { folded } from './words.rules.ts'

/** What people call the columns of a list of contacts, in three languages, without accents. */
const words: Record<keyof SheetColumns, RegExp> = {
  number: /^(numero|number|num|telefone|phone|telefono|celular|cel|whatsapp|whats|fone|tel|mobile|movil)\b/,
  email: /^(e ?mail|correo|mail)\b/,
  name: /^(nome|name|nombre|contato|contact|contacto|cliente|customer|razao social)\b/,
}

/** The first row, when it names columns instead of holding a contact; null where a list begins at once. */
export const headOf = (first: string[]): string[] | null =>
  first.some(cell => Object.values(words).some(word => word.test(plain(cell)))) &&
  !first.some(cell => cell.replace(/\D/g, '').length >= 8)
    ? first
    : null

/** The column of each field: by header, else by content. */
export function guessColumns(head: string[] | null, rows: string[][]): SheetColumns {
  const byName = (field: keyof SheetColumns) =>
    head ? nullable(head.findIndex(cell => words[field].test(plain(cell)))) : null
  const width = Math.max(0, ...rows.map(row => row.length))
  const share = (column: number, fits: (cell: string) => boolean) => {
    const filled = rows.map(row => cut(row[column]?.trim() ?? '', LOOKED_AT)).filter(Boolean)
    return filled.length > 0 ? filled.filter(fits).length / filled.length : 0
  }
  const best = (fits: (cell: string) => boolean, others: (number | null)[]) =>
    Array.from({ length: width }, (_, column) => column)
      .filter(column => !others.includes(column))
      .map(column => ({ column, part: share(column, fits) }))
      .filter(({ part }) => part > 0.5)
      .toSorted((a, b) => b.part - a.part)[0]?.column ?? null
  const number = byName('number') ?? best(isNumber, [byName('name'), byName('email')])
  const email = byName('email') ?? best(cell => /\S@\S/.test(cell), [number])
  const name = byName('name') ?? best(cell => /\p{L}{2}/u.test(cell), [number, email])
  return { name, number, email }
}

/** Characters of a cell that are examined. */
const LOOKED_AT = 200

const isNumber = (cell: string) => isScientific(cell) || /^[+(]?\d[\d\s().-]{6,}$/.test(cell)

const plain = (cell: string) =>
  folded(cut(cell, LOOKED_AT))
    .replace(/[^a-z]+/g, ' ')
    .trim()

const nullable = (at: number) => (at < 0 ? null : at)

/** Why a number cannot be a contact's; null when it can. It is never guessed what a spreadsheet cut off. */
export function numberFault(given: string, digits: string): RowFault | null {
  if (isScientific(given)) return 'scientific'
  if (digits !== '' && /^0+$/.test(digits)) return 'zeros'
  if (digits.length < 8) return 'short'
  return digits.length > 50 ? 'long' : null
}
