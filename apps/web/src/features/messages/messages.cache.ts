import { applyMessagePush } from '@balcao/contract/messages.rules.ts'
import type { Message, MessagePush } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { recentNews } from '../../platform/catch-up.ts'

/** A conversation as the cache holds it; messages that only this screen knows yet are among them, at version 0. */
export interface CachedThread {
  messages: Message[]
  hasMore: boolean
  ticket: Ticket
  pages: number
}

export const messageNews = recentNews<MessagePush>()

/** A conversation fetched since `moment`, with the news that arrived meanwhile. */
export const threadCaughtUp = (thread: CachedThread, moment: number, viewer: Viewer): CachedThread =>
  messageNews.since(moment).reduce((made, push) => heardIn(made, push, viewer), thread)

/** One push on one conversation. */
export function heardIn(thread: CachedThread, push: MessagePush, viewer: Viewer): CachedThread {
  const owner = push.action === 'delete' ? null : push.ticket.userId
  return {
    ...thread,
    messages: applyMessagePush(thread.messages, push, message =>
      shows(thread.ticket, message, owner, viewer),
    ),
  }
}

/** The same rule as the server's viewMessagesByTicket (OP-69). */
function shows(ticket: Ticket, message: Message, owner: number | null, viewer: Viewer): boolean {
  const mode = viewer.authorization.viewMessagesByTicket
  if (mode === 2 || message.ticketId === ticket.id) return message.ticketId === ticket.id
  return message.contactId === ticket.contactId && (mode === 0 || owner === viewer.id)
}
