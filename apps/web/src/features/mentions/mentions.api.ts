import { mentions } from '@balcao/contract/mentions.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { askAgain } from '../../platform/query.ts'

export const MENTIONS = ['mentions']

/** Own mentions, newest first, a page at a time. */
export const mentionPages = (onlyUnread: boolean) =>
  infiniteQueryOptions({
    queryKey: [...MENTIONS, 'list', onlyUnread],
    queryFn: ({ pageParam, signal }) =>
      call(mentions.list, { query: { pageNumber: pageParam, ...(onlyUnread && { onlyUnread }) }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
  })

/** The newest of them, and how many there are. */
export const unreadMentions = queryOptions({
  queryKey: [...MENTIONS, 'unread'],
  queryFn: () => call(mentions.list, { query: { onlyUnread: true } }),
})

/** Marks these as read, or all. Throws ApiError. */
export async function readMentions(ids?: number[]): Promise<void> {
  await call(mentions.read, { body: { ...(ids && { ids }) } })
  await askAgain({ queryKey: MENTIONS })
}
