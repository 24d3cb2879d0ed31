import { joined } from '@balcao/contract/contactSheets.rules.ts'
import type { RowFault, SheetLanguage } from '@balcao/contract/contactSheets.ts'
import { CSV_BEGINS, csvLine } from '@balcao/contract/csv.rules.ts'
import type { CountryCode } from '@balcao/contract/numbers.rules.ts'
import type { Files } from '../../platform/files/files.ts'
import { keepForDay } from '../../platform/files/served.ts'
import { spreadsheet } from '../../platform/files/sheets.ts'
import type { Scope } from '../../platform/scope.ts'
import { phoneCountryOf } from '../companies/companies.queries.ts'
import { contactsAfter, findSheet, refusedAfter } from './contactSheets.queries.ts'
import { fieldsInCell, numberInCell, readingsOf } from './contactSheets.rules.ts'

const AT_ONCE = 1_000

const COLUMNS = ['name', 'number', 'email']

/** Writes all contacts but groups into a file that can be imported again. Returns its address. */
export const exportContacts = (scope: Scope, files: Files, format: 'xlsx' | 'csv') =>
  keep(scope, files, contactParts(scope), `contatos.${format}`)

/** A template to fill in. Its cells are text, so that a long number keeps its digits. */
export const exportTemplate = (scope: Scope, files: Files) =>
  keep(
    scope,
    files,
    only([COLUMNS, ['Maria Souza', '5511987654321', 'maria@exemplo.com.br']]),
    'modelo-contatos.xlsx',
  )

/** The rows of a spreadsheet that cannot be imported, with the reason. Refuses with ERR_NOT_FOUND. */
export async function exportRefused(scope: Scope, files: Files, sheetId: number, language: SheetLanguage) {
  const { header } = await scope.read(tx => findSheet(tx, sheetId))
  const country = await scope.read(phoneCountryOf)
  const parts = refusedParts(scope, { sheetId, header, country, language })
  return keep(scope, files, parts, 'recusadas.csv')
}

const keep = (scope: Scope, files: Files, parts: Parts, name: string) =>
  keepForDay(scope, files, { name, content: (name.endsWith('.csv') ? csvOf : xlsxOf)(parts) })

async function* only(rows: string[][]): AsyncGenerator<string[][]> {
  yield rows
}

async function* contactParts(scope: Scope): AsyncGenerator<string[][]> {
  const country = await scope.read(phoneCountryOf)
  yield [[...COLUMNS, 'lid', 'categories', 'extraInfo', 'owner']]
  for (let reached = 0; ; ) {
    const some = await scope.list(tx => contactsAfter(tx, reached, AT_ONCE))
    if (some.length === 0) return
    reached = some.at(-1)!.id
    yield some.map(({ name, number, email, lid, labels, extra, owner }) => [
      name,
      numberInCell(number, country),
      email,
      lid,
      joined(labels, ','),
      fieldsInCell(extra),
      owner ?? '',
    ])
  }
}

interface Refused {
  sheetId: number
  header: string[]
  country: CountryCode
  language: SheetLanguage
}

async function* refusedParts(scope: Scope, { sheetId, header, country, language }: Refused) {
  const at = { ptBR: 0, en: 1, es: 2 }[language]
  yield [[...header, ['Motivo', 'Reason', 'Motivo'][at]!]]
  for (let reached = 0; ; ) {
    const some = await scope.list(tx => refusedAfter(tx, sheetId, reached, AT_ONCE))
    if (some.length === 0) return
    reached = some.at(-1)!.row
    yield some.map(({ cells, number, fault }) => [
      ...header.map((_, column) => cells[column] ?? ''),
      fault ? reasons[fault][at]!.replace('{numbers}', () => readingsOf(number, country)) : '',
    ])
  }
}

const reasons: Record<RowFault, [pt: string, en: string, es: string]> = {
  scientific: [
    'Número em notação científica: reabra a planilha com a coluna como texto',
    'Number in scientific notation: open the spreadsheet again with the column as text',
    'Número en notación científica: abra la planilla otra vez con la columna como texto',
  ],
  short: ['Número com menos de 8 dígitos', 'Number of fewer than 8 digits', 'Número con menos de 8 dígitos'],
  long: ['Número com mais de 15 dígitos', 'Number of more than 15 digits', 'Número con más de 15 dígitos'],
  ambiguous: [
    'O número pode ser {numbers}: escreva-o com +',
    'The number could be {numbers}: write it with +',
    'El número puede ser {numbers}: escríbalo con +',
  ],
  several: ['Mais de um número', 'More than one number', 'Más de un número'],
  area: ['Falta o DDD', 'The area code is missing', 'Falta el código de área'],
  zeros: ['Só zeros', 'Only zeros', 'Solo ceros'],
  name: ['Nome curto demais', 'Name too short', 'Nombre demasiado corto'],
  email: ['E-mail inválido', 'Invalid e-mail', 'Correo inválido'],
  owner: [
    'Nenhum usuário com esse e-mail ou nome, ou mais de um',
    'No user of this e-mail or name, or several',
    'Ningún usuario con ese correo o nombre, o varios',
  ],
}

/** Rows in parts, the header first: a large list is never in memory at once. */
type Parts = AsyncIterable<string[][]>

async function* csvOf(parts: Parts): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_BEGINS)
  for await (const rows of parts) yield Buffer.from(rows.map(csvLine).join(''))
}

/** All cells are text: long numbers keep their digits, and no formula is evaluated. */
export async function* xlsxOf(parts: Parts): AsyncGenerator<Uint8Array> {
  const rows = oneByOne(parts)
  const head = await rows.next()
  yield* spreadsheet(head.done ? [] : head.value, rows)
}

async function* oneByOne(parts: Parts): AsyncGenerator<string[], void, undefined> {
  for await (const rows of parts) yield* rows
}
