import { z } from 'zod'
import { MAX_SHEET_BYTES, MAX_SHEET_COLUMNS } from './contactSheets.bounds.rules.ts'
import { channel, id, idList, instant, pageQuery, route } from './kit.ts'

/** Up to so many rows are sent row by row by the screen (documents). */
export const ROW_BY_ROW = 200

/** Why a file is no list of contacts. */
export const SheetFault = z.enum([
  'notASheet',
  'empty',
  'tooManyRows',
  'tooManyColumns',
  'rowTooLong',
  'tooLarge',
  'broken',
])
export type SheetFault = z.infer<typeof SheetFault>

/** Why a row is not imported. */
export const RowFault = z.enum([
  'scientific',
  'short',
  'long',
  'zeros',
  'several',
  'area',
  'ambiguous',
  'name',
  'email',
  'owner',
])
export type RowFault = z.infer<typeof RowFault>

const column = z
  .int()
  .min(0)
  .max(MAX_SHEET_COLUMNS - 1)
  .nullable()
/** Index of the column of each field, from 0; null where there is none. */
export const SheetColumns = z.object({
  name: column,
  number: column,
  email: column,
  /** E-mail or name of a user, who gets the contacts as customers. */
  owner: column.default(null),
})
export type SheetColumns = z.infer<typeof SheetColumns>

/** Handling of contacts that exist already. */
export const KnownPolicy = z.enum(['skip', 'fill', 'overwrite'])
export type KnownPolicy = z.infer<typeof KnownPolicy>

/** Of a number that could be one at home and one abroad: its row is refused, or one of both is taken. */
export const TwoReadings = z.enum(['refuse', 'home', 'abroad'])
export type TwoReadings = z.infer<typeof TwoReadings>

/** A spreadsheet import: read and counted first, then imported. */
export const ContactSheet = z.object({
  id: z.int(),
  fileName: z.string(),
  state: z.enum(['reading', 'ready', 'running', 'done', 'failed', 'cancelled']),
  fault: SheetFault.nullable(),
  /** The row of the file in which it is, where it is in one. */
  faultRow: z.int().nullable(),
  /** The names of its columns; letters where it has no head. */
  header: z.array(z.string()),
  /** The first rows, as in the file. */
  sample: z.array(z.array(z.string())),
  columns: SheetColumns,
  policy: KnownPolicy,
  twoReadings: TwoReadings,
  categoryIds: z.array(z.int()),
  rows: z.int(),
  fresh: z.int(),
  known: z.int(),
  /** Rows whose number occurs earlier in the file. */
  doubled: z.int(),
  refused: z.int(),
  /** Of the refused: rows whose number could be one of two. */
  ambiguous: z.int(),
  /** How many of the fresh and known are imported so far. */
  done: z.int(),
  createdAt: instant,
})
export type ContactSheet = z.infer<typeof ContactSheet>

/** A row as it would be imported. */
export const SheetRow = z.object({
  row: z.int(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  state: z.enum(['fresh', 'known', 'doubled', 'refused']),
  fault: RowFault.nullable(),
})
export type SheetRow = z.infer<typeof SheetRow>

/** What separates the cells of a CSV. */
export const Delimiter = z.enum(['semicolon', 'comma', 'tab'])
export type Delimiter = z.infer<typeof Delimiter>

const sheetId = z.object({ sheetId: id })
/** As the screen names its languages. */
const SheetLanguage = z.enum(['ptBR', 'en', 'es'])
export type SheetLanguage = z.infer<typeof SheetLanguage>

const FileLink = z.object({ url: z.string() })

export const contactSheets = {
  stage: route('POST', '/contacts/sheets', {
    needs: 'contacts:import',
    summary:
      'Takes a spreadsheet (XLSX or CSV) of contacts to be read and counted; nothing is added yet. `delimiter` names that of a CSV, which is otherwise the one that makes equal columns. Other formats answer ERR_SHEET_XLS, ERR_SHEET_ODS or ERR_FILE_TYPE. One at a time: another under way answers ERR_SHEET_UNDER_WAY.',
    query: z.object({ delimiter: Delimiter.optional() }),
    files: 'only',
    fileBytes: MAX_SHEET_BYTES,
    reply: ContactSheet,
    limit: { counts: 'calls', caller: 30 },
  }),
  current: route('GET', '/contacts/sheets', {
    needs: 'contacts:import',
    summary:
      'The newest spreadsheet of the caller, for an admin also anybody’s that is read or taken now; null when there is none. Others than who brought it and admins find none.',
    reply: z.object({ sheet: ContactSheet.nullable() }),
  }),
  show: route('GET', '/contacts/sheets/:sheetId', {
    needs: 'contacts:import',
    summary: 'One spreadsheet as it stands.',
    params: sheetId,
    reply: ContactSheet,
  }),
  choose: route('PUT', '/contacts/sheets/:sheetId', {
    needs: 'contacts:import',
    summary:
      'Says which column holds what, what happens to known contacts and to numbers that could be one of two, and which categories all of them get. With other columns or another reading of the numbers it is counted anew.',
    params: sheetId,
    body: z.object({
      columns: SheetColumns.optional(),
      policy: KnownPolicy.optional(),
      twoReadings: TwoReadings.optional(),
      categoryIds: idList.optional(),
    }),
    reply: ContactSheet,
  }),
  start: route('POST', '/contacts/sheets/:sheetId/start', {
    needs: 'contacts:import',
    summary: 'Takes the rows in, in the background.',
    params: sheetId,
    reply: ContactSheet,
  }),
  cancel: route('DELETE', '/contacts/sheets/:sheetId', {
    needs: 'contacts:import',
    summary: 'Stops it; rows that were imported stay.',
    params: sheetId,
    reply: ContactSheet,
  }),
  rows: route('GET', '/contacts/sheets/:sheetId/rows', {
    needs: 'contacts:import',
    summary: 'The rows as they would be imported, in the order of the file, 200 a page.',
    params: sheetId,
    query: pageQuery.pick({ pageNumber: true }),
    reply: z.object({ rows: z.array(SheetRow), hasMore: z.boolean() }),
  }),
  refused: route('GET', '/contacts/sheets/:sheetId/refused', {
    needs: 'contacts:import',
    summary: 'A CSV of the rows that cannot be imported, with the reason in the reader’s language.',
    params: sheetId,
    query: z.object({ language: SheetLanguage.optional() }),
    reply: FileLink,
  }),
  export: route('GET', '/contacts/export', {
    needs: 'admin',
    summary: 'All contacts as a file, XLSX or CSV; what a spreadsheet would run is text.',
    query: z.object({ format: z.enum(['xlsx', 'csv']).optional() }),
    reply: FileLink,
    limit: { counts: 'calls', caller: 6 },
  }),
  template: route('GET', '/contacts/template', {
    needs: 'contacts:import',
    summary: 'An empty spreadsheet with the columns of an import: name, number, email.',
    reply: FileLink,
    limit: { counts: 'calls', caller: 20 },
  }),
}

export const contactSheetChannel = channel(
  'contactSheet-{companyId}',
  z.object({ action: z.literal('update'), sheet: ContactSheet }),
)
