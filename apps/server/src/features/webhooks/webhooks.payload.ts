import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { WebhookEvent, WebhookPayload } from '@balcao/contract/webhooks.ts'
import type { Emitted, Event } from '../../platform/events.ts'
import { messageChanged, messageCreated } from '../messages/messages.events.ts'
import { sentStateOf } from '../publicApi/publicApi.queries.ts'
import { ticketChanged } from '../tickets/tickets.events.ts'

/** What webhooks hear of: each once by its cause. */
export interface WebhookNews {
  event: WebhookEvent
  cause: string
  ticketId: number
  data: WebhookPayload['data']
}

/** What webhooks are told of the news of a transaction, in its order. */
export const toldOf = (news: Emitted[]): WebhookNews[] => news.flatMap(one => translate(one) ?? [])

function translate(news: Emitted): WebhookNews | null {
  const created = heard(messageCreated, news)
  if (created) return created.message.fromMe ? null : received(created.message, created.ticket)
  const changed = heard(messageChanged, news)
  if (changed) return changed.message.fromMe ? moved(changed.message, changed.ticket) : null
  const ticket = heard(ticketChanged, news)
  return ticket ? placed(ticket) : null
}

const heard = <Payload>(wanted: Event<Payload>, { event, payload }: Emitted) =>
  event === wanted ? (payload as Payload) : null

const received = (message: Message, ticket: Ticket): WebhookNews => ({
  event: 'message.received',
  cause: `${message.id} received`,
  ticketId: ticket.id,
  data: {
    ...ofTicket(ticket),
    messageId: message.id,
    body: message.body,
    mediaType: message.mediaType,
    isGroup: ticket.isGroup,
    createdAt: message.createdAt,
  },
})

/** A state is told once; failing again after another try is news. */
function moved(message: Message, ticket: Ticket): WebhookNews | null {
  const { id: messageId, ack, isDeleted, failReason, version } = message
  const status = sentStateOf(ack, isDeleted)
  if (status === 'waiting') return null
  return {
    event: 'message.status',
    cause: status === 'failed' ? `${messageId} failed ${version}` : `${messageId} ${status}`,
    ticketId: ticket.id,
    data: { messageId, status, reason: failReason, ticketProtocol: ticket.protocol },
  }
}

function placed({ ticket, before }: NonNullable<(typeof ticketChanged)['payload']>): WebhookNews {
  const named = (one: { id: number; name: string } | null) => one && { id: one.id, name: one.name }
  return {
    event: 'ticket.changed',
    cause: `${ticket.id} changed ${ticket.version}`,
    ticketId: ticket.id,
    data: {
      ...ofTicket(ticket),
      queue: named(ticket.queue),
      user: named(ticket.user),
      before: before && { ticketStatus: before.status, queueId: before.queueId, userId: before.userId },
    },
  }
}

const ofTicket = ({ protocol, status, contact }: Ticket) => ({
  ticketProtocol: protocol,
  ticketStatus: status,
  contactName: contact.name,
  contactNumber: contact.number,
})
