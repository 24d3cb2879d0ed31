import { QueryClient } from '@tanstack/react-query'
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
