import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { WebhookEvent, WebhookPayload } from '@balcao/contract/webhooks.ts'
import { type Emitted, type PayloadOf, payloadOf } from '../../platform/events.ts'
import { messageChanged, messageCreated } from '../messages/messages.events.ts'
import { sentStateOf } from '../publicApi/publicApi.queries.ts'
import { ticketChanged } from '../tickets/tickets.events.ts'

/** What webhooks are notified of: each once by its cause. */
export interface WebhookNotification {
  event: WebhookEvent
  cause: string
  ticketId: number
  data: WebhookPayload['data']
}

/** The notifications of a transaction's events, in their order. */
export const notificationsOf = (emitted: Emitted[]): WebhookNotification[] =>
  emitted.flatMap(one => translate(one) ?? [])

/** Ids of customers' messages that were deleted for everyone: their text leaves the deliveries. */
export const deletedIn = (emitted: Emitted[]): string[] =>
  emitted.flatMap(one => {
    const changed = payloadOf(messageChanged, one)
    return changed?.message.isDeleted && !changed.message.fromMe ? changed.message.id : []
  })

export const causeOfReceived = (messageId: string) => `${messageId} received`

function translate(emitted: Emitted): WebhookNotification | null {
  const created = payloadOf(messageCreated, emitted)
  if (created) return created.message.fromMe ? null : received(created.message, created.ticket)
  const changed = payloadOf(messageChanged, emitted)
  if (changed) return changed.message.fromMe ? moved(changed.message, changed.ticket) : null
  const ticket = payloadOf(ticketChanged, emitted)
  return ticket ? placed(ticket) : null
}

const received = (message: Message, ticket: Ticket): WebhookNotification => ({
  event: 'message.received',
  cause: causeOfReceived(message.id),
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

/** A state is notified once; another failure after a retry is a new one. */
function moved(message: Message, ticket: Ticket): WebhookNotification | null {
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

function placed({ ticket, before }: PayloadOf<typeof ticketChanged>): WebhookNotification {
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
