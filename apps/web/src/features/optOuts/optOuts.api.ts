import { type OptOutSettings, optOuts } from '@balcao/contract/optOuts.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { OPT_OUTS } from './optOuts.live.ts'

export const optOutList = pagedList(optOuts.list, 'optOuts')

export const stopWords = queryOptions({
  queryKey: ['optOutSettings'],
  queryFn: () => call(optOuts.showSettings),
  staleTime: 0,
})

/** Excludes a number from campaigns. Throws ApiError. */
export async function optOut(number: string): Promise<void> {
  await call(optOuts.add, { body: { number } })
  await askAgain({ queryKey: OPT_OUTS })
}

/** Campaigns may write again. Throws ApiError. */
export async function removeOptOut(optOutId: number): Promise<void> {
  await call(optOuts.remove, { params: { optOutId } })
  await askAgain({ queryKey: OPT_OUTS })
}

/** Throws ApiError. */
export async function saveStopWords(settings: OptOutSettings, seen: OptOutSettings): Promise<void> {
  queryClient.setQueryData(stopWords.queryKey, await call(optOuts.changeSettings, { body: settings, seen }))
}
