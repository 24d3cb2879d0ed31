import type { SheetColumns } from './contactSheets.ts'
import { isScientific } from './contacts.rules.ts'
import { cut } from './cut.rules.ts'
import { folded } from './words.rules.ts'

/** What people call the columns of a list of contacts, in three languages, without accents; the first that fits counts. */
const words: Record<keyof SheetColumns, RegExp[]> = {
  number: [
    /^(celular|cel|whatsapp|whats|mobile|movil|telefone celular|telefono movil)\b/,
    /^(numero|number|num|telefone|phone|telefono|fone|tel)\b/,
    /\b(telefone|phone|telefono)\b/,
  ],
  email: [/^(e ?mail|correo|mail)\b/, /\b(e ?mail|correo electronico)\b/],
  name: [
    /^(nome|name|nombre|contato|contact|contacto|cliente|customer|razao social|first name|given name|primeiro nome)$/,
    /^(nome|name|nombre|contato|contact|contacto|cliente|customer|razao social)\b/,
  ],
  // only what can mean nothing else: a row that names no user is refused
  owner: [/^(owner|carteira|cartera|dono da carteira|dueno de la cartera)$/],
}

/** Columns beside a number, an e-mail or a name in the lists of Google and Outlook, which are none themselves. */
const BESIDE =
  /\b(label|type|tipo|rotulo|etiqueta|fax|pager|display name|prefix|suffix|phonetic|prefixo|sufixo|fonetico)\b/

const fits = (field: keyof SheetColumns, cell: string) =>
  !BESIDE.test(plain(cell)) && words[field].some(word => word.test(plain(cell)))

const fields = ['number', 'email', 'name'] as const

/** The first row, when it names columns instead of holding a contact; null where a list begins at once. */
export const headOf = (first: string[]): string[] | null =>
  first.some(cell => fields.some(field => fits(field, cell))) &&
  !first.some(cell => cell.replace(/\D/g, '').length >= 8)
    ? first
    : null

/** The column of each field: by header, else by content. */
export function guessColumns(head: string[] | null, rows: string[][]): SheetColumns {
  const byName = (field: keyof SheetColumns) => (head ? columnNamed(head, field) : null)
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
  return { name, number, email, owner: byName('owner') }
}

function columnNamed(head: string[], field: keyof SheetColumns) {
  for (const word of words[field]) {
    const at = head.findIndex(cell => word.test(plain(cell)) && !BESIDE.test(plain(cell)))
    if (at >= 0) return at
  }
  return null
}

/** Further columns of a row that belong to its contact. */
export interface Layout {
  /** A name in parts, in their order, as Google and Outlook write it. */
  names: number[]
  /** Where the column of the number is empty. */
  numbers: number[]
  /** As an export writes them. */
  own: Record<OwnColumn, number | null>
}
const ownColumns = ['lid', 'categories', 'extraInfo'] as const
export type OwnColumn = (typeof ownColumns)[number]

export function layoutOf(header: string[], { name, number }: SheetColumns): Layout {
  const at = (names: RegExp) => header.findIndex(cell => names.test(plain(cell)))
  const isFirst =
    name !== null && FIRST.test(plain(header[name] ?? '')) && (name === at(GIVEN) || at(GIVEN) < 0)
  const others = number === null || !fits('number', header[number] ?? '') ? [] : header.keys()
  const own = ownColumns.map(column => [column, nullable(header.indexOf(column))])
  return {
    names: name === null ? [] : [name, ...(isFirst ? [at(MIDDLE), at(LAST)] : [])].filter(one => one >= 0),
    numbers: [...others].filter(one => one !== number && fits('number', header[one]!)),
    own: Object.fromEntries(own) as Layout['own'],
  }
}

const FIRST = /^(first name|given name|primeiro nome|nome|nombre|name)$/
const GIVEN = /^(first name|given name|primeiro nome)$/
const MIDDLE = /^(middle name|additional name|segundo nome|nome do meio|segundo nombre)$/
const LAST = /^(last name|family name|surname|sobrenome|apellidos?)$/

/** Whether a list was exported here: with what only an import as a whole takes. */
export const isOwnExport = (header: string[]) => ownColumns.some(column => header.includes(column))

/** Texts as one cell: what separates them is escaped in them. */
export const joined = (texts: string[], separator: string) =>
  texts
    .map(text => text.replaceAll('\\', '\\\\').replaceAll(separator, `\\${separator}`))
    .join(`${separator} `)

export function parted(cell: string, separator: string): string[] {
  const parts = ['']
  for (let at = 0; at < cell.length; at++) {
    const isEscaped = cell[at] === '\\' && at + 1 < cell.length
    if (!isEscaped && cell[at] === separator) {
      parts.push('')
      if (cell[at + 1] === ' ') at++
    } else parts[parts.length - 1] += isEscaped ? cell[++at]! : cell[at]!
  }
  return cell === '' ? [] : parts
}

/** Characters of a cell that are examined. */
const LOOKED_AT = 200

const isNumber = (cell: string) => isScientific(cell) || /^[+(]?\d[\d\s().-]{6,}$/.test(cell)

const plain = (cell: string) =>
  folded(cut(cell, LOOKED_AT))
    .replace(/[^a-z]+/g, ' ')
    .trim()

const nullable = (at: number) => (at < 0 ? null : at)
