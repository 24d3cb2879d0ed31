import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../platform/call.ts'
import { sheetKey } from './contactSheets.api.ts'

/** One spreadsheet, whatever others choose meanwhile; null once it is gone. */
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
