import { QueryClient, type QueryFilters } from '@tanstack/react-query'
import { ApiError } from './call.ts'

/** Lists live from pushes; they are fetched again only after a gap in the line, so nothing goes stale by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (tries, error) =>
        tries < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { retry: false },
  },
})

/**
 * Asks again for what is cached. A first fetch that is under way is not started over by an invalidation, and may have
 * been read before the change: it is asked once more when it has come.
 */
export async function askAgain(filters: Pick<QueryFilters, 'queryKey'> = {}): Promise<void> {
  const first = queryClient
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching', predicate: query => query.state.data === undefined })
  await queryClient.invalidateQueries(filters)
  for (const { queryKey } of first) void queryClient.invalidateQueries({ queryKey, exact: true })
}
