import { contactChannel } from '@balcao/contract/contacts.ts'
import { type Message, type MessagePush, messageChannel } from '@balcao/contract/messages.ts'
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { type Tag, tagUserChannel } from '@balcao/contract/tags.ts'
import { isNewer } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, type TicketPush, ticketChannel } from '@balcao/contract/tickets.ts'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'
import { ticketKey } from './tickets.api.ts'
import { applied, type CachedList, type Searched, ticketPushes } from './tickets.cache.ts'

export interface TicketNotices {
  transferred(ticket: Ticket, by: { id: number; name: string }): void
  removed(ticketId: number): void
  arrived(message: Message, ticket: Ticket): void
}

/** Keeps every cached ticket as the server has it; news that arrives late is known by its version and dropped. */
export function followTickets(viewer: Viewer, notices: TicketNotices): () => void {
  const seen = new Map<number, number>()

  function hearTicket(push: TicketPush) {
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

  function hearMessage(push: MessagePush) {
    if (push.action === 'delete') return
    const news: TicketPush = { action: 'update', ticket: push.ticket }
    if (isNewer(seen, news)) {
      ticketPushes.keep(news)
      apply(news, viewer)
    }
    if (push.action === 'create' && !push.message.fromMe) notices.arrived(push.message, push.ticket)
  }

  const deaf = [
    listen(ticketChannel, hearTicket),
    listen(messageChannel, hearMessage),
    listen(contactChannel, push => {
      if (push.action !== 'delete') refreshContact(push.contact)
    }),
    // news of users come under this name too
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
  for (const [key] of queryClient.getQueriesData<CachedList>({ queryKey: ['tickets', 'list'] })) {
    const list = key[2] as Searched
    queryClient.setQueryData<CachedList>(key, loaded => loaded && applied(loaded, push, viewer, list))
  }
  const ticketId = push.action === 'update' ? push.ticket.id : push.ticketId
  queryClient.setQueryData<Ticket>(ticketKey(ticketId), known => {
    if (push.action === 'update') return push.ticket
    return known && push.action === 'updateUnread'
      ? { ...known, unreadMessages: 0, version: push.version }
      : known
  })
}

function refreshContact(contact: Ticket['contact']) {
  const { id, name, number, lid, email, profilePicUrl } = contact
  refresh(ticket =>
    ticket.contactId === id
      ? { ...ticket, contact: { id, name, number, lid, email, profilePicUrl } }
      : ticket,
  )
}

/** A tag looks the same on every ticket that has it; one that was deleted is on none. */
function refreshTag(tagId: number, now: Tag | null) {
  const shown = now ? [{ id: now.id, name: now.name, color: now.color }] : []
  refresh(ticket =>
    ticket.tags.some(({ id }) => id === tagId)
      ? { ...ticket, tags: ticket.tags.flatMap(tag => (tag.id === tagId ? shown : [tag])) }
      : ticket,
  )
}

function refresh(fresh: (ticket: Ticket) => Ticket) {
  queryClient.setQueriesData<CachedList>(
    { queryKey: ['tickets', 'list'] },
    loaded => loaded && { ...loaded, tickets: loaded.tickets.map(fresh) },
  )
  queryClient.setQueriesData<Ticket>({ queryKey: ['tickets', 'one'] }, ticket => ticket && fresh(ticket))
}
