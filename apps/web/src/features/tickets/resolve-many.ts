import { tickets } from '@balcao/contract/tickets.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

/** Which tickets are resolved together: those of a period that are not closed yet. */
export interface Many {
  initialDate?: string | undefined
  finalDate?: string | undefined
  selectedQueueIds?: number[]
  selectedUserIds?: number[]
}

/** So many at once: the numbers on the screen move, and no call takes long. */
const AT_ONCE = 50

/** The living tickets that stand in the filters now; the server names no more than the newest 1,000. */
export const livingTickets = (many: Many) =>
  queryOptions({
    queryKey: ['tickets', 'living', many],
    queryFn: async ({ signal }) => {
      const found = await call(tickets.query, { query: { ...many, living: true }, signal })
      return { ids: found.tickets.map(({ id }) => id), hasMore: found.hasMore }
    },
    staleTime: 0,
    gcTime: 0,
  })

/**
 * Resolves the named tickets and, where there are more, those behind them. Tells how many are resolved by now; answers
 * how many are. Throws ApiError: what was told is done.
 */
export async function resolveMany(
  many: Many,
  found: { ids: number[]; hasMore: boolean },
  tell: (resolved: number) => void,
): Promise<number> {
  let resolved = 0
  for (let batch = found; ; ) {
    const before = resolved
    for (let at = 0; at < batch.ids.length; at += AT_ONCE) {
      const { closed } = await call(tickets.resolveMany, {
        body: { Tickets: batch.ids.slice(at, at + AT_ONCE) },
      })
      resolved += closed
      tell(resolved)
    }
    // what nobody could resolve would be found again for ever
    if (!batch.hasMore || resolved === before) return resolved
    const next = await call(tickets.query, { query: { ...many, living: true } })
    batch = { ids: next.tickets.map(({ id }) => id), hasMore: next.hasMore }
  }
}
