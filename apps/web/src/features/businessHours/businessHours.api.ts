import { type BusinessHours, businessHours } from '@balcao/contract/businessHours.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'

export const ownHours = queryOptions({
  queryKey: ['businessHours'],
  queryFn: () => call(businessHours.show),
  staleTime: 0,
})

/** As they are kept: sorted, and without hours no holidays. Throws ApiError. */
export async function saveHours(hours: BusinessHours, seen: BusinessHours): Promise<BusinessHours> {
  const saved = await call(businessHours.change, { body: hours, seen })
  queryClient.setQueryData(ownHours.queryKey, saved)
  return saved
}
