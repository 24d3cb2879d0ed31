import { contactChannel } from '@balcao/contract/contacts.ts'
import { type Message, type MessagePush, messageChannel } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { type Tag, tagUserChannel } from '@balcao/contract/tags.ts'
import { isNewer } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, type TicketPush, ticketChannel } from '@balcao/contract/tickets.ts'
import { listen } from '../../platform/live.ts'
import { patch } from '../../platform/query.ts'
import { ticketKey } from './tickets.api.ts'
import { afterPush, applied, type CachedList, type Searched, ticketPushes } from './tickets.cache.ts'

export interface TicketNotices {
  transferred(ticket: Ticket, by: { id: number; name: string }): void
  removed(ticketId: number): void
  arrived(message: Message, ticket: Ticket): void
}

/** Keeps every cached ticket as the server has it; a late push is recognised by its version and dropped. */
export function followTickets(viewer: Viewer, notices: TicketNotices): () => void {
  const seen = new Map<number, number>()

  function onTicketPush(push: TicketPush) {
    if (!isNewer(seen, push)) return
    ticketPushes.keep(push)
    apply(push, viewer)
    if (push.action === 'delete') notices.removed(push.ticketId)
    if (
      push.action === 'update' &&
      push.transf &&
      push.transferredBy &&
      push.ticket.userId === viewer.id &&
      push.transferredBy.id !== viewer.id
    )
      notices.transferred(push.ticket, push.transferredBy)
  }

  function onMessagePush(push: MessagePush) {
    if (push.action === 'delete') return
    const news: TicketPush = { action: 'update', ticket: push.ticket }
    if (isNewer(seen, news)) {
      ticketPushes.keep(news)
      apply(news, viewer)
    }
    // a line of the chat comes read
    const { fromMe, read } = push.message
    if (push.action === 'create' && !fromMe && !read) notices.arrived(push.message, push.ticket)
  }

  const deaf = [
    listen(ticketChannel, onTicketPush),
    listen(messageChannel, onMessagePush),
    listen(contactChannel, push => {
      if (push.action !== 'delete') refreshContact(push.contact)
    }),
    // pushes of users come under this name too
    listen(tagUserChannel, push => {
      if (push.action === 'update' && push.tag) refreshTag(push.tag.id, push.tag)
      if (push.action === 'delete') refreshTag(push.tagId, null)
    }),
  ]
  return () => {
    for (const stop of deaf) stop()
  }
}

function apply(push: TicketPush, viewer: Viewer) {
  patch<CachedList>(['tickets', 'list'], (loaded, key) => applied(loaded, push, viewer, key[2] as Searched))
  const ticketId = push.action === 'update' ? push.ticket.id : push.ticketId
  patch<Ticket>(ticketKey(ticketId), known => afterPush(known, push))
}

function refreshContact(contact: Ticket['contact']) {
  const { id, name, number, lid, username, email, profilePicUrl, ownerId } = contact
  refresh(ticket =>
    ticket.contactId === id
      ? { ...ticket, contact: { id, name, number, lid, username, email, profilePicUrl, ownerId } }
      : ticket,
  )
}

/** A changed tag is updated on every ticket; a deleted one is removed. */
function refreshTag(tagId: number, now: Tag | null) {
  const shown = now ? [{ id: now.id, name: now.name, color: now.color }] : []
  refresh(ticket =>
    ticket.tags.some(({ id }) => id === tagId)
      ? { ...ticket, tags: ticket.tags.flatMap(tag => (tag.id === tagId ? shown : [tag])) }
      : ticket,
  )
}

function refresh(fresh: (ticket: Ticket) => Ticket) {
  patch<CachedList>(['tickets', 'list'], loaded => ({ ...loaded, tickets: loaded.tickets.map(fresh) }))
  patch<Ticket>(['tickets', 'one'], fresh)
}
