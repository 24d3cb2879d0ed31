import type { Referral } from '@balcao/contract/media.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { WebhookEvent, WebhookPayload } from '@balcao/contract/webhooks.ts'
import { type Emitted, type PayloadOf, payloadOf } from '../../platform/events.ts'
import { messageChanged, messageCreated } from '../messages/messages.events.ts'
import { sentStateOf } from '../publicApi/publicApi.queries.ts'
import { surveyAnswered } from '../surveys/surveys.events.ts'
import { ticketChanged } from '../tickets/tickets.events.ts'

/** What webhooks are notified of: each once by its cause. */
export interface WebhookNotification {
  event: WebhookEvent
  cause: string
  ticketId: number
  data: WebhookPayload['data']
}

/** The notifications of a transaction's events, in their order. Addresses begin with that of the installation. */
export const notificationsOf = (emitted: Emitted[], backendUrl: string): WebhookNotification[] =>
  emitted.flatMap(one => translate(one, backendUrl) ?? [])

/** Ids of customers' messages that were deleted for everyone, and of deleted notes: their text leaves the deliveries. */
export const deletedIn = (emitted: Emitted[]): string[] =>
  emitted.flatMap(one => {
    const changed = payloadOf(messageChanged, one)
    const isWritten = changed && (!changed.message.fromMe || changed.message.isPrivate)
    return isWritten && changed.message.isDeleted ? changed.message.id : []
  })

export const causeOfReceived = (messageId: string) => `${messageId} received`

function translate(emitted: Emitted, backendUrl: string): WebhookNotification | null {
  const created = payloadOf(messageCreated, emitted)
  if (created?.message.isPrivate) return noted(created.message, created.ticket, backendUrl)
  if (created)
    return isOfCustomer(created.message) ? received(created.message, created.ticket, backendUrl) : null
  const changed = payloadOf(messageChanged, emitted)
  // only that it was written: a note has no state, and what it says later is the company's
  if (changed?.message.isPrivate) return null
  if (changed) return changed.message.fromMe ? moved(changed.message, changed.ticket, backendUrl) : null
  const ticket = payloadOf(ticketChanged, emitted)
  if (ticket) return placed(ticket, backendUrl)
  const answered = payloadOf(surveyAnswered, emitted)
  return answered ? scored(answered, backendUrl) : null
}

/** A line of the chat, such as a new subject, is no message of a customer. */
const isOfCustomer = ({ fromMe, mediaType }: Message) => !fromMe && mediaType !== 'chat_event'

const received = (message: Message, ticket: Ticket, backendUrl: string): WebhookNotification => ({
  event: 'message.received',
  cause: causeOfReceived(message.id),
  ticketId: ticket.id,
  data: {
    ...ofTicket(ticket, backendUrl),
    messageId: message.id,
    body: message.body,
    mediaType: message.mediaType,
    isGroup: ticket.isGroup,
    author: message.author,
    referral: message.referral && withoutPicture(message.referral),
    createdAt: message.createdAt,
  },
})

const noted = (message: Message, ticket: Ticket, backendUrl: string): WebhookNotification => ({
  event: 'note.written',
  cause: `${message.id} noted`,
  ticketId: ticket.id,
  data: {
    ...ofTicket(ticket, backendUrl),
    messageId: message.id,
    body: message.body,
    mediaType: message.mediaType,
    user: named(message.user),
    createdAt: message.createdAt,
  },
})

const withoutPicture = ({ thumbnail: _thumbnail, ...referral }: Referral) => referral

/** A state is notified once; another failure after a retry is a new one. */
function moved(message: Message, ticket: Ticket, backendUrl: string): WebhookNotification | null {
  const { id: messageId, ack, isDeleted, failReason, version } = message
  const status = sentStateOf(ack, isDeleted)
  if (status === 'waiting') return null
  return {
    event: 'message.status',
    cause: status === 'failed' ? `${messageId} failed ${version}` : `${messageId} ${status}`,
    ticketId: ticket.id,
    data: {
      ...{ messageId, status, reason: failReason, ticketProtocol: ticket.protocol },
      ...placeOf(ticket, backendUrl),
    },
  }
}

function placed(
  { ticket, before, closing }: PayloadOf<typeof ticketChanged>,
  backendUrl: string,
): WebhookNotification {
  return {
    event: 'ticket.changed',
    cause: `${ticket.id} changed ${ticket.version}`,
    ticketId: ticket.id,
    data: {
      ...ofTicket(ticket, backendUrl),
      queue: named(ticket.queue),
      user: named(ticket.user),
      before: before && { ticketStatus: before.status, queueId: before.queueId, userId: before.userId },
      closingReason: closing?.reason ?? null,
      closingNote: closing?.note ?? '',
    },
  }
}

const scored = (
  { ticket, survey: { id, ...survey } }: PayloadOf<typeof surveyAnswered>,
  backendUrl: string,
): WebhookNotification => ({
  event: 'survey.answered',
  cause: `survey ${id} ${survey.comment ? 'comment' : 'score'}`,
  ticketId: ticket.id,
  data: { ...ofTicket(ticket, backendUrl), ...survey },
})

const ofTicket = (ticket: Ticket, backendUrl: string) => ({
  ticketProtocol: ticket.protocol,
  ticketStatus: ticket.status,
  contactName: ticket.contact.name,
  contactNumber: ticket.contact.number,
  ...placeOf(ticket, backendUrl),
})

const placeOf = ({ id, uuid, whatsapp, contact }: Ticket, backendUrl: string) => ({
  ticketId: id,
  ticketUuid: uuid,
  ticketUrl: `${backendUrl}/tickets/${uuid}`,
  connection: named(whatsapp),
  contactId: contact.id,
  contactLid: contact.lid,
  contactUsername: contact.username,
})

const named = (one: { id: number; name: string } | null) => one && { id: one.id, name: one.name }
