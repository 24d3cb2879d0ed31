import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { patch, queryClient } from '../../platform/query.ts'
import { visiting } from '../../platform/visit.ts'
import { ticketKey } from '../tickets/tickets.api.ts'
import { afterPush, ticketPushes } from '../tickets/tickets.cache.ts'
import { type CachedThread, merged, threadCaughtUp, ticketEventPushes } from './messages.cache.ts'
import { arrived, waitingIn } from './messages.waiting.ts'

export const threadKey = (ticketId: number) => ['messages', ticketId] as const

export const threadOptions = (ticketId: number, viewer: Viewer) =>
  queryOptions({ queryKey: threadKey(ticketId), queryFn: () => fetchThread(ticketId, viewer) })

/**
 * Prefetches a conversation that may be opened next, without marking it as read. What is cached already, or
 * fails, is left to the opening.
 */
export async function fetchAhead(ticketId: number, viewer: Viewer): Promise<void> {
  // a visitor's fetch is recorded as a look
  if (visiting.now() || queryClient.getQueryState(threadKey(ticketId))) return
  await queryClient.prefetchQuery({
    ...threadOptions(ticketId, viewer),
    queryFn: () => fetchThread(ticketId, viewer, true),
    retry: false,
  })
}

/** What happened to the tickets that the conversation shows. */
export const storyOptions = (ticketId: number) =>
  queryOptions({
    queryKey: ['ticket-story', ticketId] as const,
    queryFn: () => fetchStory(ticketId),
  })

/** Events during the request may be missing from its answer: then it is repeated once. */
async function fetchStory(ticketId: number): Promise<{ events: TicketEvent[] }> {
  const started = performance.now()
  const story = await call(tickets.story, { params: { ticketId } })
  const people = new Set(story.events.map(({ contactId }) => contactId))
  const isMissed = ticketEventPushes.since(started).some(({ contactId }) => people.has(contactId))
  return isMissed ? call(tickets.story, { params: { ticketId } }) : story
}

/** Earlier versions of a message; refetched at each opening. */
export const messageVersions = ({ id: messageId }: Message) =>
  queryOptions({
    queryKey: ['message-versions', messageId] as const,
    queryFn: async () => (await call(messages.versions, { params: { messageId } })).versions,
    staleTime: 0,
    gcTime: 0,
  })

export const changeThread = (ticketId: number, make: (thread: CachedThread) => CachedThread) =>
  patch<CachedThread>(threadKey(ticketId), make)

/** Whether the message is in the cached conversation. */
export const isShown = ({ id, ticketId }: Message) =>
  threadNow(ticketId)?.messages.some(one => one.id === id) ?? false

/** Inserts or replaces a message unless a newer version is cached. */
export const put = (message: Message): void =>
  void changeThread(message.ticketId, thread =>
    thread.hasNewer && !thread.messages.some(({ id }) => id === message.id)
      ? thread
      : { ...thread, messages: merged(thread.messages, [message]) },
  )

export const threadNow = (ticketId: number) => queryClient.getQueryData<CachedThread>(threadKey(ticketId))

/** Fetches as many messages as are on the screen, at the shown position. */
async function fetchThread(ticketId: number, viewer: Viewer, isAhead = false): Promise<CachedThread> {
  const started = performance.now()
  const known = threadNow(ticketId)
  const [oldest, newest] = [known?.messages[0], known?.messages.at(-1)]
  let thread =
    known?.hasNewer && oldest
      ? { ...(await stretch(ticketId, { around: oldest.id })), isUnlooked: known.isUnlooked }
      : await newestOf(ticketId, isAhead)
  // the server counts what its owner asks for
  if (thread.ticket.status !== 'open' || thread.ticket.userId !== viewer.id) thread.isUnlooked = true
  const has = (one: Message | undefined) => !one || thread.messages.some(({ id }) => id === one.id)
  while (known && thread.hasMore && thread.messages.length < known.messages.length && !has(oldest))
    thread = joined(await stretch(ticketId, { before: thread.messages[0]!.id }), thread, 'before')
  while (known?.hasNewer && thread.hasNewer && !has(newest))
    thread = joined(await stretch(ticketId, { after: thread.messages.at(-1)!.id }), thread, 'after')
  return withWaiting(threadCaughtUp(thread, started, viewer))
}

type Spot = { around: string } | { before: string } | { after: string } | { ahead: true }

const stretch = (ticketId: number, query: Spot | undefined): Promise<CachedThread> =>
  call(messages.list, { params: { ticketId }, query }).then(page => ({ ...page, ahead: 0 }))

async function newestOf(ticketId: number, isAhead = false): Promise<CachedThread> {
  const started = performance.now()
  const page = await stretch(ticketId, isAhead ? { ahead: true } : undefined)
  const ticket = ticketPushes.since(started).reduce(afterPush, page.ticket)
  // the cache entry is gone: another user may be logged in by now
  if (queryClient.getQueryState(threadKey(ticketId)))
    queryClient.setQueryData<Ticket>(ticketKey(ticketId), known =>
      known && known.version > ticket.version ? known : ticket,
    )
  return isAhead ? { ...page, isUnlooked: true } : page
}

/** A page that was fetched at one end of the cached messages. */
const joined = (page: CachedThread, to: CachedThread, at: 'before' | 'after'): CachedThread => ({
  ...to,
  messages: merged(page.messages, to.messages),
  ...(at === 'before' ? { hasMore: page.hasMore } : { hasNewer: page.hasNewer, ahead: 0 }),
})

/** Messages not yet sent survive a fetch; those the server has are no longer waiting. */
function withWaiting(thread: CachedThread): CachedThread {
  const here = new Set(thread.messages.filter(({ version }) => version > 0).map(({ id }) => id))
  for (const id of here) arrived(id)
  const waiting = waitingIn(thread.ticket.id).map(({ message }) => message)
  return thread.hasNewer ? thread : { ...thread, messages: merged(thread.messages, waiting) }
}

/** Prepends the next older page. */
export const loadOlder = (ticketId: number) => grow(ticketId, 'before')

/** Appends the next newer page. */
export const loadNewer = (ticketId: number) => grow(ticketId, 'after')

async function grow(ticketId: number, at: 'before' | 'after'): Promise<void> {
  const thread = threadNow(ticketId)
  const sent = thread?.messages.filter(({ version }) => version > 0) ?? []
  const end = at === 'before' ? sent[0] : sent.at(-1)
  if (!end || !(at === 'before' ? thread?.hasMore : thread?.hasNewer)) return
  const page = await stretch(ticketId, at === 'before' ? { before: end.id } : { after: end.id })
  changeThread(ticketId, now => {
    // another position is shown by now
    const isThere = at === 'before' ? now.hasMore : now.hasNewer
    if (!isThere || !now.messages.some(({ id }) => id === end.id)) return now
    const made = joined(page, now, at)
    return made.hasNewer ? made : withWaiting(made)
  })
}

/** Marks what is here as read by its owner, and answers what the screen may have missed. */
export async function lookAgain(ticketId: number): Promise<void> {
  const here = threadNow(ticketId)?.messages ?? []
  const last = here.findLast(({ version }) => version > 0)
  const query = last && { readUpTo: last.id }
  const { messages: newest } = await call(messages.list, { params: { ticketId }, query })
  const looked = new Set(here.map(({ id }) => id))
  changeThread(ticketId, now => ({
    ...now,
    isUnlooked: false,
    messages: seen(now.hasNewer ? now.messages : merged(newest, now.messages), looked),
  }))
}

/** The owner has seen what is here: opened again, none of it is new. */
export const markSeen = (ticketId: number) =>
  changeThread(ticketId, now => ({ ...now, messages: seen(now.messages) }))

const seen = (all: Message[], looked?: Set<string>) =>
  all.map(message =>
    message.read || looked?.has(message.id) === false ? message : { ...message, read: true },
  )

/** Loads the page around a message. Throws ApiError when the conversation does not hold it. */
export async function showAround(ticketId: number, messageId: string): Promise<void> {
  if (threadNow(ticketId)?.messages.some(({ id }) => id === messageId)) return
  const page = await stretch(ticketId, { around: messageId })
  changeThread(ticketId, ({ isUnlooked }) => withWaiting({ ...page, isUnlooked }))
}

/** Shows the end of the conversation again. */
export async function showNewest(ticketId: number): Promise<void> {
  if (!threadNow(ticketId)?.hasNewer) return
  const page = await newestOf(ticketId)
  changeThread(ticketId, ({ isUnlooked }) => withWaiting({ ...page, isUnlooked }))
}

/** Messages of the conversation that contain the text, newest first. */
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
