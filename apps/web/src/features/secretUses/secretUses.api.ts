import { secretUses } from '@balcao/contract/secretUses.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

/** What programs did in the name of a user; refetched at each opening. */
export const secretUsesOf = (userId: number) =>
  queryOptions({
    queryKey: ['secretUses', userId],
    queryFn: async () => (await call(secretUses.list, { params: { userId } })).uses,
    staleTime: 0,
    gcTime: 0,
  })
