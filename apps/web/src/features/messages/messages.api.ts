import { oldestFirst } from '@balcao/contract/messages.rules.ts'
import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { queryOptions } from '@tanstack/react-query'
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

function together(some: Message[], others: Message[]): Message[] {
  const ids = new Set(some.map(message => message.id))
  return [...some, ...others.filter(message => !ids.has(message.id))].sort(oldestFirst)
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
