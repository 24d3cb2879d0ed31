import { companyExports } from '@balcao/contract/companyExports.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'

const LOOK_MS = 3_000

/** The newest package of a company's data; asked again while one is being made. */
export const exportOf = (companyId: number) =>
  queryOptions({
    queryKey: ['companyExports', companyId],
    queryFn: () => call(companyExports.show, { params: { companyId } }),
    refetchInterval: ({ state }) => state.data?.export?.state === 'making' && LOOK_MS,
  })

/** Begins a new package. Throws ApiError. */
export async function makeExport(companyId: number): Promise<void> {
  const begun = await call(companyExports.make, { params: { companyId }, body: { language: language() } })
  queryClient.setQueryData(exportOf(companyId).queryKey, begun)
}
