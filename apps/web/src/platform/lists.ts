import type { Channel, PageQuery, Push, Route } from '@balcao/contract/kit.ts'
import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from './call.ts'
import { listen } from './live.ts'
import { askAgain } from './query.ts'

/** A call of the contract that answers its rows a page at a time, under a name of its own. */
type PagedRoute<Name extends string, Row, Query extends PageQuery> = Omit<Route, 'query' | 'reply'> & {
  query: z.ZodType<Query, Query>
  reply: z.ZodType<Record<Name, Row[]> & { hasMore: boolean; count?: number | undefined }>
}

/**
 * A paged list of the API by a search text and other filters. Its cache key begins with `key`, by default the
 * name of its rows. `params` fill the address of a list that belongs to a row.
 */
export const pagedList =
  <Name extends string, Row, Query extends PageQuery>(
    route: PagedRoute<Name, Row, Query>,
    name: Name,
    params?: Record<string, number>,
    key: string = name,
  ) =>
  (searchParam: string, narrowed?: Omit<Query, keyof PageQuery>) =>
    infiniteQueryOptions({
      queryKey: [key, 'list', searchParam, ...(narrowed ? [narrowed] : []), ...(params ? [params] : [])],
      queryFn: async ({ pageParam, signal }) => {
        const query = { ...narrowed, searchParam, pageNumber: pageParam } as Query
        const page = await call(route, { ...(params && { params }), query, signal })
        return { rows: page[name], hasMore: page.hasMore, count: page.count }
      },
      initialPageParam: 1,
      getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    })

export type PagedList<Row> = ReturnType<typeof pagedList<'rows', Row, PageQuery>>

/** One row, fetched: shown in a dialog before it is changed. */
export const oneRow =
  <Row>(name: string, read: (id: number) => Promise<Row>) =>
  (id: number) =>
    queryOptions({ queryKey: [name, 'one', id], queryFn: () => read(id), staleTime: 0, gcTime: 0 })

export type OneRow<Row> = ReturnType<typeof oneRow<Row>>

const SPREAD_MS = 1_000

/**
 * On any push of the list's channel, what is cached under the key is refetched, at a random moment of the
 * next second: all screens of a company are notified at once, and must not all request at once. `concerns` leaves out
 * pushes that change nothing of it.
 */
export function followList<C extends Channel>(
  channel: C,
  queryKey: QueryKey,
  concerns: (push: Push<C>) => boolean = () => true,
): () => void {
  let due: ReturnType<typeof setTimeout> | undefined
  const stop = listen(channel, push => {
    if (!concerns(push)) return
    due ??= setTimeout(() => {
      due = undefined
      void askAgain({ queryKey })
    }, Math.random() * SPREAD_MS)
  })
  return () => {
    stop()
    clearTimeout(due)
  }
}
