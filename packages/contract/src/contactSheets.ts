import { z } from 'zod'
import { channel, id, idList, instant, pageQuery, route } from './kit.ts'

/** So many rows of a spreadsheet are taken, and so many bytes of it. */
export const MAX_SHEET_ROWS = 200_000
export const MAX_SHEET_BYTES = 50 * 1_048_576

/** A spreadsheet of no more rows is sent row by row by the screen, as the documents tell it. */
export const ROW_BY_ROW = 200

/** Why a file is no list of contacts. */
export const SheetFault = z.enum(['notASheet', 'empty', 'tooManyRows', 'tooLarge'])
export type SheetFault = z.infer<typeof SheetFault>

/** Why a row is not taken. */
export const RowFault = z.enum(['scientific', 'short', 'long', 'zeros', 'name', 'email'])
export type RowFault = z.infer<typeof RowFault>

const column = z.int().min(0).max(200).nullable()
/** Which column holds what, from 0; null where none does. */
export const SheetColumns = z.object({ name: column, number: column, email: column })
export type SheetColumns = z.infer<typeof SheetColumns>

/** What happens to who is known already. */
export const KnownPolicy = z.enum(['skip', 'fill', 'overwrite'])
export type KnownPolicy = z.infer<typeof KnownPolicy>

/** A spreadsheet of contacts on its way in: read and counted first, then taken. */
export const ContactSheet = z.object({
  id: z.int(),
  fileName: z.string(),
  state: z.enum(['reading', 'ready', 'running', 'done', 'failed', 'cancelled']),
  fault: SheetFault.nullable(),
  /** The names of its columns; letters where it has no head. */
  header: z.array(z.string()),
  /** The first rows, as they stand in the file. */
  sample: z.array(z.array(z.string())),
  columns: SheetColumns,
  policy: KnownPolicy,
  categoryIds: z.array(z.int()),
  rows: z.int(),
  fresh: z.int(),
  known: z.int(),
  /** Rows whose number stands further up in the file. */
  doubled: z.int(),
  refused: z.int(),
  /** How many of the fresh and known are taken by now. */
  done: z.int(),
  createdAt: instant,
})
export type ContactSheet = z.infer<typeof ContactSheet>

/** A row as it would be taken. */
export const SheetRow = z.object({
  row: z.int(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  state: z.enum(['fresh', 'known', 'doubled', 'refused']),
  fault: RowFault.nullable(),
})
export type SheetRow = z.infer<typeof SheetRow>

const sheetId = z.object({ sheetId: id })
/** As the screen names its languages. */
const SheetLanguage = z.enum(['ptBR', 'en', 'es'])
export type SheetLanguage = z.infer<typeof SheetLanguage>

const FileLink = z.object({ url: z.string() })

export const contactSheets = {
  stage: route('POST', '/contacts/sheets', {
    needs: 'session',
    says: 'Takes a spreadsheet (XLSX or CSV) of contacts to be read and counted; nothing is added yet. One at a time: another under way answers ERR_SHEET_UNDER_WAY.',
    files: 'only',
    reply: ContactSheet,
    limit: { counts: 'calls', caller: 30 },
  }),
  current: route('GET', '/contacts/sheets', {
    needs: 'session',
    says: 'The newest spreadsheet of the caller, or anybody’s that is read or taken now; null when there is none.',
    reply: z.object({ sheet: ContactSheet.nullable() }),
  }),
  show: route('GET', '/contacts/sheets/:sheetId', {
    needs: 'session',
    says: 'One spreadsheet as it stands.',
    params: sheetId,
    reply: ContactSheet,
  }),
  choose: route('PUT', '/contacts/sheets/:sheetId', {
    needs: 'session',
    says: 'Says which column holds what, what happens to known contacts, and which categories all of them get. Other columns are counted anew.',
    params: sheetId,
    body: z.object({
      columns: SheetColumns.optional(),
      policy: KnownPolicy.optional(),
      categoryIds: idList.optional(),
    }),
    reply: ContactSheet,
  }),
  start: route('POST', '/contacts/sheets/:sheetId/start', {
    needs: 'session',
    says: 'Takes the rows in, in the background.',
    params: sheetId,
    reply: ContactSheet,
  }),
  cancel: route('DELETE', '/contacts/sheets/:sheetId', {
    needs: 'session',
    says: 'Stops it; what was taken stays.',
    params: sheetId,
    reply: ContactSheet,
  }),
  rows: route('GET', '/contacts/sheets/:sheetId/rows', {
    needs: 'session',
    says: 'The rows as they would be taken, in the order of the file, 200 a page.',
    params: sheetId,
    query: pageQuery.pick({ pageNumber: true }),
    reply: z.object({ rows: z.array(SheetRow), hasMore: z.boolean() }),
  }),
  refused: route('GET', '/contacts/sheets/:sheetId/refused', {
    needs: 'session',
    says: 'A CSV of the rows that cannot be taken, with the reason in the reader’s language.',
    params: sheetId,
    query: z.object({ language: SheetLanguage.optional() }),
    reply: FileLink,
  }),
  export: route('GET', '/contacts/export', {
    needs: 'admin',
    says: 'All contacts as a file, XLSX or CSV; what a spreadsheet would run is text.',
    query: z.object({ format: z.enum(['xlsx', 'csv']).optional() }),
    reply: FileLink,
    limit: { counts: 'calls', caller: 6 },
  }),
  template: route('GET', '/contacts/template', {
    needs: 'session',
    says: 'An empty spreadsheet with the columns of an import: name, number, email.',
    reply: FileLink,
    limit: { counts: 'calls', caller: 20 },
  }),
}

export const contactSheetChannel = channel(
  'contactSheet-{companyId}',
  z.object({ action: z.literal('update'), sheet: ContactSheet }),
)
