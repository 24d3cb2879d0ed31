import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../platform/call.ts'
import { sheetKey } from './contactSheets.api.ts'

/** One spreadsheet, independent of the chosen one; null once it is deleted. */
export const oneSheet = (sheetId: number) =>
  queryOptions({
    queryKey: sheetKey(sheetId),
    queryFn: () =>
      call(contactSheets.show, { params: { sheetId } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'ERR_NOT_FOUND') return null
        throw error
      }),
    staleTime: 0,
  })
