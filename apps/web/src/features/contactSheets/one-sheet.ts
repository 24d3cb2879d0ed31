import { type ContactSheet, contactSheets } from '@balcao/contract/contactSheets.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import { sheetKey } from './contactSheets.api.ts'

/** One spreadsheet, whatever others choose meanwhile; null once it is gone. */
export const oneSheet = (sheetId: number) =>
  queryOptions({
    queryKey: sheetKey(sheetId),
    queryFn: async () => {
      const { sheet } = await call(contactSheets.current)
      return sheet?.id === sheetId ? sheet : unchanged(sheetId)
    },
    staleTime: 0,
  })

/** While another is read, one is as it was, or gone. */
async function unchanged(sheetId: number): Promise<ContactSheet | null> {
  try {
    await call(contactSheets.rows, { params: { sheetId } })
    return queryClient.getQueryData<ContactSheet>(sheetKey(sheetId)) ?? null
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ERR_NOT_FOUND') return null
    throw error
  }
}
