import { terms } from '@balcao/contract/terms.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'

const TERMS = 'terms'

/** The terms that companies are asked to accept. */
export const currentTerms = queryOptions({ queryKey: [TERMS], queryFn: () => call(terms.show) })

/** What the own company has not accepted yet. */
export const ownTerms = queryOptions({
  queryKey: [TERMS, 'own'],
  queryFn: () => call(terms.own),
  staleTime: 0,
})

const acceptances = pagedList(terms.acceptances, 'acceptances', undefined, TERMS)

/** Who accepted which version, of one company or all, the newest first. */
export const acceptanceList = (companyId?: number) => (text: string) =>
  acceptances(text, companyId ? { companyId } : {})

/** Throws ApiError. */
export async function publishTerms(body: z.input<typeof terms.publish.body>): Promise<void> {
  queryClient.setQueryData(currentTerms.queryKey, await call(terms.publish, { body }))
  await askAgain({ queryKey: [TERMS] })
}

/** Throws ApiError. */
export async function withdrawTerms(): Promise<void> {
  queryClient.setQueryData(currentTerms.queryKey, await call(terms.withdraw))
}

/** Throws ApiError. */
export async function acceptTerms(version: string): Promise<void> {
  queryClient.setQueryData(ownTerms.queryKey, await call(terms.accept, { body: { version } }))
}
