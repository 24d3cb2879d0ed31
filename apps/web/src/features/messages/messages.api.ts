import { type Message, messages } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { type Ticket, type TicketEvent, tickets } from '@balcao/contract/tickets.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import { ticketKey } from '../tickets/tickets.api.ts'
import { type CachedThread, merged, threadCaughtUp, ticketEventPushes } from './messages.cache.ts'
import { dropWaiting, waitingIn } from './messages.waiting.ts'

export const threadKey = (ticketId: number) => ['messages', ticketId] as const

export const threadOptions = (ticketId: number, viewer: Viewer) =>
  queryOptions({ queryKey: threadKey(ticketId), queryFn: () => fetchThread(ticketId, viewer) })

/** What happened to the tickets that the conversation shows. */
export const storyOptions = (ticketId: number) =>
  queryOptions({
    queryKey: ['ticket-story', ticketId] as const,
    queryFn: () => fetchStory(ticketId),
  })

/** What happens while the answer is on its way may be missing from it: then it is asked for once more. */
async function fetchStory(ticketId: number): Promise<{ events: TicketEvent[] }> {
  const started = performance.now()
  const story = await call(tickets.story, { params: { ticketId } })
  const people = new Set(story.events.map(({ contactId }) => contactId))
  const isMissed = ticketEventPushes.since(started).some(({ contactId }) => people.has(contactId))
  return isMissed ? call(tickets.story, { params: { ticketId } }) : story
}

export const changeThread = (ticketId: number, make: (thread: CachedThread) => CachedThread) =>
  queryClient.setQueryData<CachedThread>(threadKey(ticketId), thread => thread && make(thread))

/** Stands in its conversation as this screen knows it. */
export const isShown = ({ id, ticketId }: Message) =>
  threadNow(ticketId)?.messages.some(one => one.id === id) ?? false

/** A message takes its place unless something newer of it is there already. */
export const put = (message: Message): void =>
  void changeThread(message.ticketId, thread =>
    thread.hasNewer && !thread.messages.some(({ id }) => id === message.id)
      ? thread
      : { ...thread, messages: merged(thread.messages, [message]) },
  )

const threadNow = (ticketId: number) => queryClient.getQueryData<CachedThread>(threadKey(ticketId))

/** Fetches as much as is on the screen, at the place that is looked at. */
async function fetchThread(ticketId: number, viewer: Viewer): Promise<CachedThread> {
  const started = performance.now()
  const known = threadNow(ticketId)
  const [oldest, newest] = [known?.messages[0], known?.messages.at(-1)]
  let thread =
    known?.hasNewer && oldest ? await stretch(ticketId, { around: oldest.id }) : await newestOf(ticketId)
  const has = (one: Message | undefined) => !one || thread.messages.some(({ id }) => id === one.id)
  while (known && thread.hasMore && thread.messages.length < known.messages.length && !has(oldest))
    thread = joined(await stretch(ticketId, { before: thread.messages[0]!.id }), thread, 'before')
  while (known?.hasNewer && thread.hasNewer && !has(newest))
    thread = joined(await stretch(ticketId, { after: thread.messages.at(-1)!.id }), thread, 'after')
  return withWaiting(threadCaughtUp(thread, started, viewer))
}

type Spot = { around: string } | { before: string } | { after: string }

const stretch = (ticketId: number, query: Spot | undefined): Promise<CachedThread> =>
  call(messages.list, { params: { ticketId }, query }).then(page => ({ ...page, ahead: 0 }))

async function newestOf(ticketId: number): Promise<CachedThread> {
  const page = await stretch(ticketId, undefined)
  queryClient.setQueryData<Ticket>(ticketKey(ticketId), known =>
    known && known.version > page.ticket.version ? known : page.ticket,
  )
  return page
}

/** A page that was asked for at one end of what is there. */
const joined = (page: CachedThread, to: CachedThread, at: 'before' | 'after'): CachedThread => ({
  ...to,
  messages: merged(page.messages, to.messages),
  ...(at === 'before' ? { hasMore: page.hasMore } : { hasNewer: page.hasNewer, ahead: 0 }),
})

/** Words that have not reached the server yet survive a fetch; those that did need not wait any more. */
function withWaiting(thread: CachedThread): CachedThread {
  const arrived = new Set(thread.messages.filter(({ version }) => version > 0).map(({ id }) => id))
  for (const { id } of waitingIn(thread.ticket.id)) if (arrived.has(id)) dropWaiting(id)
  const waiting = waitingIn(thread.ticket.id).map(({ message }) => message)
  return thread.hasNewer ? thread : { ...thread, messages: merged(thread.messages, waiting) }
}

/** Puts the next older page before what is shown. */
export const loadOlder = (ticketId: number) => grow(ticketId, 'before')

/** Puts the next newer page behind what is shown. */
export const loadNewer = (ticketId: number) => grow(ticketId, 'after')

async function grow(ticketId: number, at: 'before' | 'after'): Promise<void> {
  const thread = threadNow(ticketId)
  const sent = thread?.messages.filter(({ version }) => version > 0) ?? []
  const end = at === 'before' ? sent[0] : sent.at(-1)
  if (!end || !(at === 'before' ? thread?.hasMore : thread?.hasNewer)) return
  const page = await stretch(ticketId, at === 'before' ? { before: end.id } : { after: end.id })
  changeThread(ticketId, now => {
    // another place is shown by now
    const isThere = at === 'before' ? now.hasMore : now.hasNewer
    if (!isThere || !now.messages.some(({ id }) => id === end.id)) return now
    const made = joined(page, now, at)
    return made.hasNewer ? made : withWaiting(made)
  })
}

/** The owner looked: the server counts it, and answers what the screen may have missed. */
export async function lookAgain(ticketId: number): Promise<void> {
  const { messages: newest } = await call(messages.list, { params: { ticketId } })
  changeThread(ticketId, now => ({
    ...now,
    messages: seen(now.hasNewer ? now.messages : merged(newest, now.messages)),
  }))
}

/** The owner has seen what is here: opened again, none of it is new. */
export const markSeen = (ticketId: number) =>
  changeThread(ticketId, now => ({ ...now, messages: seen(now.messages) }))

const seen = (all: Message[]) => all.map(message => (message.read ? message : { ...message, read: true }))

/** Shows the place of a message. Throws ApiError when the conversation does not hold it. */
export async function showAround(ticketId: number, messageId: string): Promise<void> {
  if (threadNow(ticketId)?.messages.some(({ id }) => id === messageId)) return
  const page = await stretch(ticketId, { around: messageId })
  changeThread(ticketId, () => (page.hasNewer ? page : withWaiting(page)))
}

/** Shows the end of the conversation again. */
export async function showNewest(ticketId: number): Promise<void> {
  if (!threadNow(ticketId)?.hasNewer) return
  const page = await newestOf(ticketId)
  changeThread(ticketId, () => withWaiting(page))
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
