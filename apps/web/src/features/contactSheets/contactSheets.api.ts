import {
  type ContactSheet,
  contactSheets,
  type Delimiter,
  type SheetRow,
} from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain, patch, queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'

const SHEET = ['contactSheet']

/** The newest spreadsheet of the viewer, or another's that is under way; pushes keep it as it is. */
export const currentSheet = queryOptions({
  queryKey: SHEET,
  queryFn: async () => (await call(contactSheets.current)).sheet,
  staleTime: 0,
})

export const sheetKey = (sheetId: number) => [...SHEET, sheetId]

function putSheet(sheet: ContactSheet): ContactSheet {
  queryClient.setQueryData(currentSheet.queryKey, sheet)
  queryClient.setQueryData(sheetKey(sheet.id), sheet)
  return sheet
}

/** Progress of one spreadsheet does not replace another's. */
export function onSheetProgress(sheet: ContactSheet) {
  for (const queryKey of [SHEET, sheetKey(sheet.id)])
    patch<ContactSheet | null>(queryKey, known => (known?.id === sheet.id ? sheet : known))
  // whose turn it is may have changed, and what is on its way may have been read before
  if (sheet.state !== 'running' || queryClient.isFetching({ queryKey: SHEET }) > 0)
    void askAgain({ queryKey: SHEET })
}

/** Sends a file to be read. Throws ApiError. */
export const stageSheet = async (file: File, delimiter?: Delimiter) =>
  putSheet(await call(contactSheets.stage, { files: { file }, query: { delimiter } }))

type Choice = z.input<(typeof contactSheets.choose)['body']>

/** Throws ApiError. */
export const chooseForSheet = async (sheetId: number, body: Choice) =>
  putSheet(await call(contactSheets.choose, { params: { sheetId }, body }))

/** Throws ApiError. */
export const startSheet = async (sheetId: number) =>
  putSheet(await call(contactSheets.start, { params: { sheetId } }))

/** Throws ApiError. */
export const cancelSheet = async (sheetId: number) =>
  putSheet(await call(contactSheets.cancel, { params: { sheetId } }))

/** All rows of a spreadsheet that is short enough to be sent row by row. Throws ApiError. */
export const rowsOfSheet = async (sheetId: number): Promise<SheetRow[]> =>
  (await call(contactSheets.rows, { params: { sheetId } })).rows

/** Throws ApiError. */
export const importRow = ({ name, number, email, state }: SheetRow) =>
  // of a row that is refused the number is as it is written
  call(contacts.importOne, { body: { name, number: state === 'refused' ? number : `+${number}`, email } })

/** Saves a file that the server generates, by default under the name in its address; reports a failure. */
export async function saveMade(made: () => Promise<{ url: string }>, name?: string): Promise<void> {
  try {
    const { url } = await made()
    const file = await queryClient.fetchQuery(bytesOptions(url))
    saveBytes(file, name ?? decodeURIComponent(url.split('/').at(-1)!))
  } catch (error) {
    notify.failed(error)
  }
}

export const exported = (format: 'xlsx' | 'csv') => () => call(contactSheets.export, { query: { format } })
export const template = () => call(contactSheets.template)
export const refusedRows = (sheetId: number) => () =>
  call(contactSheets.refused, { params: { sheetId }, query: { language: language() } })
