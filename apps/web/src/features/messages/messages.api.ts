import { oldestFirst } from '@balcao/contract/messages.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import { ticketKey } from '../tickets/tickets.api.ts'
import { type CachedThread, threadCaughtUp } from './messages.cache.ts'

export const threadKey = (ticketId: number) => ['messages', ticketId] as const

export const threadOptions = (ticketId: number, viewer: Viewer) =>
  queryOptions({ queryKey: threadKey(ticketId), queryFn: () => fetchThread(ticketId, viewer) })

async function fetchThread(ticketId: number, viewer: Viewer): Promise<CachedThread> {
  const started = performance.now()
  const known = queryClient.getQueryData<CachedThread>(threadKey(ticketId))
  const first = await call(messages.list, { params: { ticketId } })
  queryClient.setQueryData<Ticket>(ticketKey(ticketId), known =>
    known && known.version > first.ticket.version ? known : first.ticket,
  )
  let thread: CachedThread = { ...first, pages: 1 }
  while (known && thread.pages < known.pages && thread.hasMore) thread = await withOlder(ticketId, thread)
  const fresh = threadCaughtUp(thread, started, viewer)
  return { ...fresh, messages: together(fresh.messages, unsent(known)) }
}

/** Words that have not reached the server yet survive a fetch. */
const unsent = (known: CachedThread | undefined) =>
  known?.messages.filter(message => message.version === 0) ?? []

/** Of a message that is in both the newer one: what was fetched may be older than what was pushed meanwhile. */
function together(some: Message[], others: Message[]): Message[] {
  const newest = new Map<string, Message>()
  for (const message of [...some, ...others]) {
    const known = newest.get(message.id)
    if (!known || known.version < message.version) newest.set(message.id, message)
  }
  return [...newest.values()].sort(oldestFirst)
}

async function withOlder(ticketId: number, thread: CachedThread): Promise<CachedThread> {
  const older = await call(messages.list, { params: { ticketId }, query: { pageNumber: thread.pages + 1 } })
  return {
    ...thread,
    messages: together(older.messages, thread.messages),
    hasMore: older.hasMore,
    pages: thread.pages + 1,
  }
}

/** Puts the next older page before what is shown. */
export async function loadOlder(ticketId: number): Promise<void> {
  const thread = queryClient.getQueryData<CachedThread>(threadKey(ticketId))
  if (!thread?.hasMore) return
  const longer = await withOlder(ticketId, thread)
  queryClient.setQueryData<CachedThread>(
    threadKey(ticketId),
    now => now && { ...longer, messages: together(longer.messages, now.messages) },
  )
}

/** The owner looked: the server counts it, and answers what the screen may have missed. */
export async function lookAgain(ticketId: number): Promise<void> {
  const { messages: newest } = await call(messages.list, { params: { ticketId } })
  queryClient.setQueryData<CachedThread>(
    threadKey(ticketId),
    now => now && { ...now, messages: together(newest, now.messages) },
  )
}

/** Older pages asked for at once on the way to a message far back. */
const AT_ONCE = 5

/** Loads older pages until a message is there. False when the conversation does not hold it. */
export async function loadUntil(ticketId: number, messageId: string): Promise<boolean> {
  for (;;) {
    const thread = queryClient.getQueryData<CachedThread>(threadKey(ticketId))
    if (!thread) return false
    if (thread.messages.some(({ id }) => id === messageId)) return true
    if (!thread.hasMore) return false
    const numbers = Array.from({ length: AT_ONCE }, (_, at) => thread.pages + 1 + at)
    const pages = await Promise.all(
      numbers.map(pageNumber => call(messages.list, { params: { ticketId }, query: { pageNumber } })),
    )
    const older = pages.flatMap(page => page.messages)
    const ends = pages.findIndex(({ hasMore }) => !hasMore)
    queryClient.setQueryData<CachedThread>(
      threadKey(ticketId),
      now =>
        now && {
          ...now,
          messages: together(older, now.messages),
          hasMore: ends < 0,
          pages: thread.pages + (ends < 0 ? AT_ONCE : ends + 1),
        },
    )
  }
}

/** Messages of the conversation that hold the words, newest first. */
export const searchOptions = (ticketId: number, searchTerm: string) =>
  infiniteQueryOptions({
    queryKey: ['message-search', ticketId, searchTerm],
    queryFn: ({ pageParam, signal }) =>
      call(messages.list, { params: { ticketId }, query: { searchTerm, pageNumber: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
    staleTime: 0,
    gcTime: 0,
  })
