import { applyMessagePush, FAILED, oldestFirst } from '@balcao/contract/messages.rules.ts'
import type { Message, MessagePush } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket, TicketEvent } from '@balcao/contract/tickets.ts'
import { recentPushes } from '../../platform/catch-up.ts'

/**
 * A stretch of a conversation without gaps, as the cache holds it; messages that only this screen knows yet are among
 * them, at version 0.
 */
export interface CachedThread {
  messages: Message[]
  /** Older ones follow before the first. */
  hasMore: boolean
  /** Newer ones follow behind the last: one looks at an old place, and what is said now is not shown. */
  hasNewer: boolean
  /** How many came meanwhile, behind what is shown. */
  ahead: number
  ticket: Ticket
}

export const messagePushes = recentPushes<MessagePush>()
export const ticketEventPushes = recentPushes<TicketEvent>()

/** A conversation fetched since `moment`, with the news that arrived meanwhile. */
export const threadCaughtUp = (thread: CachedThread, moment: number, viewer: Viewer): CachedThread =>
  messagePushes.since(moment).reduce((made, push) => withPush(made, push, viewer), thread)

/** One push on one conversation. */
export function withPush(thread: CachedThread, push: MessagePush, viewer: Viewer): CachedThread {
  const owner = push.action === 'delete' ? null : push.ticket.userId
  const isPart = (message: Message) => shows(thread.ticket, message, owner, viewer)
  const known = thread.messages.some(one => push.action !== 'delete' && one.id === push.message.id)
  if (push.action !== 'delete' && !known && !isPart(push.message)) return thread
  if (thread.hasNewer && push.action === 'create' && !known)
    return push.message.fromMe ? thread : { ...thread, ahead: thread.ahead + 1 }
  const unsent = thread.messages.filter(isUnsent)
  const sent = thread.messages.filter(message => !isUnsent(message))
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

/** As it is read: what waits for its time stands behind all that was said, the next first. It takes its place as it leaves. */
export function waitingLast(thread: CachedThread): CachedThread {
  const waiting = thread.messages.filter(({ dueAt }) => dueAt !== null)
  if (waiting.length === 0) return thread
  const left = thread.messages.filter(({ dueAt }) => dueAt === null)
  const inTime = waiting.toSorted((a, b) => a.dueAt!.localeCompare(b.dueAt!) || oldestFirst(a, b))
  return { ...thread, messages: [...left, ...inTime] }
}

const isUnsent = ({ version }: Message) => version === 0

/**
 * Of a message that is in both the newer one: what was fetched may be older than what was pushed meanwhile. The server
 * says the order. What it refused stays where it was written, what still waits stands behind everything.
 */
export function merged(some: Message[], others: Message[]): Message[] {
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
