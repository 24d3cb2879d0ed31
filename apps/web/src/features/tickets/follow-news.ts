import { marks } from '@balcao/contract/marks.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { call } from '../../platform/call.ts'

import { followedNews } from './news.ts'
import { useActiveLists } from './tickets.api.ts'
import { NEWS } from './tickets.marks.live.ts'

/** Keeps the news of followed tickets, where there are any; those of the ticket that is open on a visible screen are seen. */
export function useFollowedNews(): void {
  const { open } = useActiveLists()
  const isFollowing = (open.list?.marks?.following.length ?? 0) > 0
  const { data: news } = useQuery({
    queryKey: NEWS,
    enabled: isFollowing,
    queryFn: async ({ signal }) => (await call(tickets.list, { query: { news: true }, signal })).tickets,
  })
  const data = isFollowing ? news : undefined
  useEffect(() => {
    followedNews.write(data ?? [])
    return () => followedNews.write([])
  }, [data])
  const { pathname } = useLocation()
  const isVisible = useDocumentVisibility() === 'visible'
  const seen = isVisible ? data?.find(({ id }) => pathname === `/tickets/${id}`)?.id : undefined
  useEffect(() => {
    if (seen !== undefined)
      call(marks.seen, { params: { ticketId: seen } }).catch(error =>
        console.warn('the news of a ticket stays unseen', error),
      )
  }, [seen])
}
