import { QueryClient, type QueryFilters, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './call.ts'
import { ofPerson } from './person.ts'
import { visiting } from './visit.ts'

/** Delay until a failed request is retried. */
const AGAIN_MS = 5_000

/** So long what a visitor sees of a company counts as fresh. */
const VISITED_MS = 30_000

const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500

/**
 * Lists are kept up to date by pushes; they are refetched only after a gap in the connection, so nothing goes
 * stale by itself.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // on a visit nothing is pushed but the open conversation: what is looked at again is fetched, and recorded
      staleTime: () => (visiting.now() ? VISITED_MS : Number.POSITIVE_INFINITY),
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (tries, error) => tries < 3 && !isRefusal(error),
      // shown data stays meanwhile
      refetchInterval: ({ state }) => state.status === 'error' && !isRefusal(state.error) && AGAIN_MS,
    },
    mutations: { retry: false },
  },
})

ofPerson(() => queryClient.clear())

/**
 * Changes cached data, by a push or by an action of this screen: only existing entries, and only what
 * differs. An invalidated entry stays invalidated; `setQueryData` would clear that, as it treats its value as
 * fetched.
 */
export function patch<Data>(queryKey: QueryKey, make: (data: Data, queryKey: QueryKey) => Data): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    const known = query.state.data as Data | undefined
    if (known === undefined) continue
    const data = make(known, query.queryKey)
    if (!isSame(known, data, 2)) query.setState({ data })
  }
}

/**
 * Equality down to the rows of a list. Not deeper, and without structural sharing: where rows move to other
 * indexes, as older messages shift later ones, each would be copied.
 */
function isSame(one: unknown, other: unknown, depth: number): boolean {
  if (Object.is(one, other)) return true
  if (depth === 0 || !isThing(one) || !isThing(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(name => isSame(one[name], other[name], depth - 1))
  )
}

const isThing = (one: unknown): one is Record<string, unknown> => typeof one === 'object' && one !== null

/**
 * Patches by a push where fetches do not record pushes: a running fetch may have been read before it, so it
 * is repeated.
 */
export function patchByPush<Data>(queryKey: QueryKey, make: (data: Data) => Data): void {
  patch(queryKey, make)
  if (queryClient.isFetching({ queryKey }) > 0) void askAgain({ queryKey })
}

/** Maximum delay of what is not visible in favour of what is. */
const FIRST_MS = 3_000

/**
 * Resolves when the running requests are answered and drawn: later ones do not compete with them for
 * bandwidth.
 */
export function whenFetched(): Promise<void> {
  return new Promise(then => {
    const done = () => {
      stop()
      clearTimeout(late)
      if ('requestIdleCallback' in window) requestIdleCallback(() => then(), { timeout: FIRST_MS })
      else then()
    }
    const late = setTimeout(done, FIRST_MS)
    const stop = queryClient.getQueryCache().subscribe(() => queryClient.isFetching() === 0 && done())
    if (queryClient.isFetching() === 0) done()
  })
}

/**
 * Refetches cached data. A fetch that an invalidation does not restart, a first one or an unobserved one, may
 * have been read before the change: it is repeated once it has arrived.
 */
export async function askAgain(filters: Pick<QueryFilters, 'queryKey'> = {}): Promise<void> {
  const underWay = queryClient.getQueryCache().findAll({
    ...filters,
    fetchStatus: 'fetching',
    predicate: query => query.state.data === undefined || !query.isActive(),
  })
  const come = underWay.map(query => query.promise?.catch(() => {}))
  await Promise.all([queryClient.invalidateQueries(filters), ...come])
  for (const { queryKey } of underWay) void queryClient.invalidateQueries({ queryKey, exact: true })
}
