import { type UIEvent, useEffect, useRef } from 'react'

/** State of a paged query; the result of TanStack's `useInfiniteQuery` fits as it is. */
export interface Paging {
  isPending: boolean
  isError: boolean
  error?: unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): unknown
  refetch(): unknown
}

/** Distance from the end (px) at which the next page is requested (CONST-003). */
export const NEAR_END = 100

/** Loads the next page on scroll: spread the answer over the scrolling element. */
export function useLoadOn<Box extends HTMLElement>(paging: Paging | undefined) {
  const ref = useRef<Box>(null)
  const loadOn = (box: HTMLElement) => {
    if (!paging?.hasNextPage || paging.isFetchingNextPage || paging.isError) return
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END) void paging.fetchNextPage()
  }
  // A first page that does not fill the box offers nothing to scroll.
  useEffect(() => {
    if (ref.current && ref.current.scrollHeight > 0) loadOn(ref.current)
  })
  return { ref, onScroll: (event: UIEvent<Box>) => loadOn(event.currentTarget) }
}
