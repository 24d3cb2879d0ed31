import { type AutopayKind, autopay, type ShownAutopay } from '@balcao/contract/autopay.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'

/** First part of the cache keys of automatic payment. */
export const AUTOPAY = 'autopay'

const of = (companyId: number) => ({ params: { companyId } })

/** While the payer is to authorize it, and shortly after he did. */
const LOOK_MS = 5_000

/** How the invoices of a company are paid by themselves; nothing pushes what a bank answers, so it is asked while that is awaited. */
export const companyAutopay = (companyId: number) =>
  queryOptions({
    queryKey: [AUTOPAY, companyId],
    queryFn: () => call(autopay.show, of(companyId)),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      ['wanted', 'waiting'].includes(data?.autopay?.state ?? '') && LOOK_MS,
  })

const COMPANIES = 'autopayCompanies'

/** Companies that pay by themselves, by name. */
export const autopayCompanies = pagedList(autopay.companies, 'companies', undefined, COMPANIES)

async function keep(companyId: number, shown: ShownAutopay): Promise<void> {
  const { queryKey } = companyAutopay(companyId)
  // a request under way may have been answered before the change
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, shown)
  // it counts as fetched now, although what was pushed meanwhile may be newer
  void askAgain({ queryKey })
}

/** Throws ApiError. */
export async function chooseAutopay(companyId: number, kind: AutopayKind): Promise<void> {
  await keep(companyId, await call(autopay.choose, { ...of(companyId), body: { kind } }))
}

/** Throws ApiError. */
export async function endAutopay(companyId: number): Promise<void> {
  await keep(companyId, await call(autopay.end, of(companyId)))
  await askAgain({ queryKey: [COMPANIES] })
}
