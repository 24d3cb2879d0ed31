import { applyMessagePush, FAILED, oldestFirst } from '@balcao/contract/messages.rules.ts'
import type { Message, MessagePush } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { recentPushes } from '../../platform/catch-up.ts'

/**
 * A stretch of a conversation without gaps, as the cache holds it; unsent messages are included at version 0.
 */
export interface CachedThread {
  messages: Message[]
  /** Older ones follow before the first. */
  hasMore: boolean
  /** There are newer messages than the last: an old position is shown, and new messages are not appended. */
  hasNewer: boolean
  /** Number of newer messages that arrived meanwhile, after what is shown. */
  ahead: number
  /** Prefetched: the server does not count it as read yet. */
  isUnlooked?: boolean
  ticket: Ticket
}

export const messagePushes = recentPushes<MessagePush>()
export const ticketEventPushes = recentPushes<TicketEvent>()

/** A conversation fetched since `moment`, with the pushes that arrived meanwhile. */
export const threadCaughtUp = (thread: CachedThread, moment: number, viewer: Viewer): CachedThread =>
  messagePushes.since(moment).reduce((made, push) => withPush(made, push, viewer), thread)

/** Applies one push to one conversation. */
export function withPush(thread: CachedThread, push: MessagePush, viewer: Viewer): CachedThread {
  const owner = push.action === 'delete' ? null : push.ticket.userId
  const isPart = (message: Message) => shows(thread.ticket, message, owner, viewer)
  const known = thread.messages.some(one => push.action !== 'delete' && one.id === push.message.id)
  if (push.action !== 'delete' && !known && !isPart(push.message)) return thread
  if (thread.hasNewer && push.action === 'create' && !known)
    return push.message.fromMe ? thread : { ...thread, ahead: thread.ahead + 1 }
  const unsent = thread.messages.filter(isUnsent)
  const sent = thread.messages.filter(message => !isUnsent(message))
  // it is loaded with its page: inserted here it would leave a gap after it
  const isOlder = push.action !== 'delete' && sent[0] && oldestFirst(push.message, sent[0]) < 0
  if (isOlder && !known && thread.hasMore) return thread
  return { ...thread, messages: merged(applyMessagePush(sent, push, isPart), unsent) }
}

/** The same rule as the server's viewMessagesByTicket (OP-69). */
export function shows(
  ticket: Ticket,
  { ticketId, contactId }: Pick<Message | TicketEvent, 'ticketId' | 'contactId'>,
  owner: number | null,
  viewer: Viewer,
): boolean {
  const mode = viewer.authorization.viewMessagesByTicket
  if (mode === 2 || ticketId === ticket.id) return ticketId === ticket.id
  return contactId === ticket.contactId && (mode === 0 || owner === viewer.id)
}

/**
 * For display: scheduled messages come after all sent ones, the next first. Each moves to its position as it
 * is sent.
 */
export function waitingLast(thread: CachedThread): CachedThread {
  const waiting = thread.messages.filter(({ dueAt }) => dueAt !== null)
  if (waiting.length === 0) return thread
  const left = thread.messages.filter(({ dueAt }) => dueAt === null)
  const inTime = waiting.toSorted((a, b) => a.dueAt!.localeCompare(b.dueAt!) || oldestFirst(a, b))
  return { ...thread, messages: [...left, ...inTime] }
}

/** A page that precedes all others needs no sorting: paging back through a long conversation stays cheap. */
const isBefore = (page: Message[], others: Message[]) => {
  const [last, first] = [page.at(-1), others[0]]
  // one that left meanwhile has another position there
  const known = new Set(others.map(({ id }) => id))
  return (
    last !== undefined &&
    first !== undefined &&
    !isUnsent(first) &&
    page.every(
      (message, at) =>
        !isUnsent(message) && !known.has(message.id) && oldestFirst(message, page[at + 1] ?? first) < 0,
    )
  )
}

const isUnsent = ({ version }: Message) => version === 0

/**
 * Of a message in both, the newer version: a fetched one may be older than a push meanwhile. The server
 * defines the order. A refused message stays where it was written, a waiting one comes last.
 */
export function merged(some: Message[], others: Message[]): Message[] {
  if (isBefore(some, others)) return [...some, ...others]
  const newest = new Map<string, Message>()
  for (const message of [...some, ...others]) {
    const known = newest.get(message.id)
    const isNewer = !known || known.version < message.version || (isUnsent(known) && isUnsent(message))
    if (isNewer) newest.set(message.id, message)
  }
  const all = [...newest.values()]
  const isRefused = (message: Message) => isUnsent(message) && message.ack === FAILED
  const made = all.filter(message => !isRefused(message)).sort(oldestFirst)
  for (const refused of all.filter(isRefused)) {
    const at = made.findIndex(({ createdAt }) => createdAt > refused.createdAt)
    made.splice(at < 0 ? made.length : at, 0, refused)
  }
  return made
}
