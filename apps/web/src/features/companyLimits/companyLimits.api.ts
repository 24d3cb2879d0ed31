import { companyLimits, type LimitsChoice } from '@balcao/contract/companyLimits.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'

/** The users and connections of a company, and which of them rest. */
export const limitsOf = (companyId: number) =>
  queryOptions({
    queryKey: ['companyLimits', companyId],
    queryFn: () => call(companyLimits.show, { params: { companyId } }),
    staleTime: 0,
  })

/** Throws ApiError. */
export async function chooseLimits(companyId: number, body: z.input<typeof LimitsChoice>): Promise<void> {
  const saved = await call(companyLimits.choose, { params: { companyId }, body })
  queryClient.setQueryData(limitsOf(companyId).queryKey, saved)
}
