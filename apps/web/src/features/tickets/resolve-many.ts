import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import type { Closing } from './closing-fields.tsx'

/** Which tickets are resolved together: those of a period that are not closed yet. */
export interface Many {
  initialDate?: string | undefined
  finalDate?: string | undefined
  selectedQueueIds?: number[]
  selectedUserIds?: number[]
}

/** Batch size: the progress moves, and no call lasts long. */
const AT_ONCE = 50

/** The active tickets that match the filters now; the server lists no more than the newest 1,000. */
export const activeTickets = (many: Many) =>
  queryOptions({
    queryKey: ['tickets', 'active', many],
    queryFn: async ({ signal }) => {
      const found = await call(tickets.query, { query: { ...many, living: true }, signal })
      return foundIn(found)
    },
    staleTime: 0,
    gcTime: 0,
  })

/** Which tickets, and of which queues. */
export interface Found {
  ids: number[]
  queueIds: (number | null)[]
  hasMore: boolean
}

const foundIn = ({ tickets, hasMore }: { tickets: Ticket[]; hasMore: boolean }): Found => ({
  ids: tickets.map(({ id }) => id),
  queueIds: [...new Set(tickets.map(({ queueId }) => queueId))],
  hasMore,
})

/**
 * Resolves the listed tickets and, where there are more, those after them. Reports how many are resolved so
 * far; answers the total. Throws ApiError: what was reported is done.
 */
export async function resolveMany(
  many: Many,
  found: Found,
  closing: Closing,
  onProgress: (resolved: number) => void,
): Promise<number> {
  let resolved = 0
  for (let batch = found; ; ) {
    const before = resolved
    for (let at = 0; at < batch.ids.length; at += AT_ONCE) {
      const { closed } = await call(tickets.resolveMany, {
        body: { Tickets: batch.ids.slice(at, at + AT_ONCE), ...closing },
      })
      resolved += closed
      onProgress(resolved)
    }
    // tickets that cannot be resolved would be found again for ever
    if (!batch.hasMore || resolved === before) return resolved
    batch = foundIn(await call(tickets.query, { query: { ...many, living: true } }))
  }
}
