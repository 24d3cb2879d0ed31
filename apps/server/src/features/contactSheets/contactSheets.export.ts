import type { RowFault, SheetLanguage } from '@balcao/contract/contactSheets.ts'
import { addressOf, removeFiles } from '../../platform/files.served.ts'
import type { Files } from '../../platform/files.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, asc, eq, sql as tag } from '../../platform/sql.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { csvOf, type Parts, xlsxOf } from './contactSheets.files.ts'
import { findSheet, rowsBehind } from './contactSheets.queries.ts'
import { contactSheetRows } from './contactSheets.table.ts'

const AT_ONCE = 1_000
/** A file that was made to be fetched is kept for a day. */
const DAY_S = 86_400

const COLUMNS = ['name', 'number', 'email']

/** All contacts as a file that can be imported again; groups are none. Answers where it is fetched. */
export const exportContacts = (scope: Scope, files: Files, format: 'xlsx' | 'csv') =>
  keep(scope, files, contactParts(scope), `contatos.${format}`)

/** An empty spreadsheet to fill in. Its cells are text: a long number keeps its digits. */
export const exportTemplate = (scope: Scope, files: Files) =>
  keep(
    scope,
    files,
    only([COLUMNS, ['Maria Souza', '5511987654321', 'maria@exemplo.com.br']]),
    'modelo-contatos.xlsx',
  )

/** The rows of a spreadsheet that cannot be taken. Refuses with ERR_NOT_FOUND. */
export async function exportRefused(scope: Scope, files: Files, sheetId: number, language: SheetLanguage) {
  const { header } = await scope.read(tx => findSheet(tx, sheetId))
  return keep(scope, files, refusedParts(scope, sheetId, header, language), 'recusadas.csv')
}

async function keep(scope: Scope, files: Files, parts: Parts, name: string) {
  const isText = name.endsWith('.csv')
  const { key } = await files.put(scope.companyId, (isText ? csvOf : xlsxOf)(parts), { name, type: '' })
  const url = addressOf(key)
  await scope.transaction(tx => removeFiles(tx, [url], DAY_S))
  return { url }
}

async function* only(rows: string[][]): AsyncGenerator<string[][]> {
  yield rows
}

async function* contactParts(scope: Scope): AsyncGenerator<string[][]> {
  yield [[...COLUMNS, 'lid', 'categories', 'extraInfo']]
  for (let reached = 0; ; ) {
    const some = await scope.list(tx => contactsBehind(tx, reached))
    if (some.length === 0) return
    reached = some.at(-1)!.id
    yield some.map(one => [one.name, one.number, one.email, one.lid, one.labels, one.extra])
  }
}

const contactsBehind = (tx: Tx, id: number) =>
  tx.sql
    .select({
      id: contacts.id,
      name: contacts.name,
      number: contacts.number,
      email: contacts.email,
      lid: contacts.lid,
      labels: tag<string>`coalesce((select string_agg(k.name, ', ' order by lower(k.name)) from contact_categories c
        join categories k on k.company_id = c.company_id and k.id = c.category_id
        where c.company_id = ${contacts}.company_id and c.contact_id = ${contacts}.id), '')`,
      extra: tag<string>`coalesce((select string_agg(e.name || ': ' || e.value, '; ' order by e.id) from contact_extra_info e
        where e.company_id = ${contacts}.company_id and e.contact_id = ${contacts}.id), '')`,
    })
    .from(contacts)
    .where(
      and(eq(contacts.companyId, tx.companyId), eq(contacts.isGroup, false), tag`${contacts.id} > ${id}`),
    )
    .orderBy(asc(contacts.id))
    .limit(AT_ONCE)

async function* refusedParts(scope: Scope, sheetId: number, header: string[], language: SheetLanguage) {
  const at = { ptBR: 0, en: 1, es: 2 }[language]
  yield [[...header, ['Motivo', 'Reason', 'Motivo'][at]!]]
  for (let reached = 0; ; ) {
    const refused = eq(contactSheetRows.state, 'refused')
    const some = await scope.list(tx => rowsBehind(tx, sheetId, reached, AT_ONCE, refused))
    if (some.length === 0) return
    reached = some.at(-1)!.row
    yield some.map(({ cells, fault }) => [
      ...header.map((_, column) => cells[column] ?? ''),
      fault ? reasons[fault][at]! : '',
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
  long: ['Número longo demais', 'Number too long', 'Número demasiado largo'],
  zeros: ['Só zeros', 'Only zeros', 'Solo ceros'],
  name: ['Nome curto demais', 'Name too short', 'Nombre demasiado corto'],
  email: ['E-mail inválido', 'Invalid e-mail', 'Correo inválido'],
}
