import { cut } from '@balcao/contract/cut.rules.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { PagedList } from '../../platform/lists.ts'
import { TYPING_MS } from '../../platform/typing.ts'
import { inAddress } from './address.ts'

export type List<Row> = ReturnType<typeof useList<Row>>

/**
 * A paged list with its search, which begins with that of the address; below the minimum of letters no search is made.
 */
export function useList<Row>(
  paged: PagedList<Row>,
  { minimum = 1, begun }: { minimum?: number; begun?: string } = {},
) {
  const [typed, type] = useState(() => begun ?? cut(inAddress('search'), 100))
  const found = useSearchedList(paged, typed.trim().length < minimum ? '' : typed)
  return { ...found, typed, type }
}

/** A paged list filtered by a text that is typed elsewhere. */
export function useSearchedList<Row>(paged: PagedList<Row>, typed: string) {
  const words = typed.trim()
  const [searchParam] = useDebouncedValue(words, TYPING_MS)
  const query = useInfiniteQuery({
    ...paged(searchParam),
    // cached rows are shown at once, and refetched
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const pages = query.data?.pages
  const rows = useMemo(() => pages?.flatMap(page => page.rows) ?? [], [pages])
  return {
    rows,
    /** Of all that match, where the server counts them. */
    count: pages?.[0]?.count,
    searchParam,
    /** The rows are still those of the previous search text. */
    isSearching: words !== searchParam || query.isPlaceholderData,
    // no page at all: the list was emptied, and is about to be reloaded
    isPending: query.isPending || pages?.length === 0,
    error: query.error,
    isError: query.isError,
    hasNextPage: query.hasNextPage,
    isFetchingNextPage: query.isFetchingNextPage,
    fetchNextPage: query.fetchNextPage,
    refetch: query.refetch,
  }
}

/** An unpaged list in the shape of a paged one. */
export const wholeList = <Row>({ data, isPending, isError, error, refetch }: UseQueryResult<Row[]>) => ({
  rows: data ?? [],
  count: undefined,
  searchParam: '',
  isPending,
  isError,
  error,
  refetch,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: refetch,
})
