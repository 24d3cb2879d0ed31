import type { Message, Typing } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'
import type { TicketStanding } from '../tickets/tickets.events.ts'

/** A message came or went out, and its ticket as it stands with it. */
export const messageCreated = event<{ message: Message; ticket: Ticket }>('message.created')

/**
 * A customer wrote; within the commit that writes it down. Whoever answers by itself names itself in `answers`: then
 * nobody above does, and the connection does not greet.
 */
export const customerWrote = event<{
  ticket: Ticket
  message: Message
  isNew: boolean
  answers: { by: string | null }
}>('customer.wrote')

/** Somebody of the company wrote, here or on its phone; within the commit that writes it down. */
export const companyWrote = event<{ message: Message }>('company.wrote')

/** News of the network about a message of a schedule or a campaign; within the commit that writes it down. */
export const messageSettled = event<{ message: Message }>('message.settled')

/** A message that stands changed: its ack, its text, its reactions, its file, or that it was deleted. */
export const messageChanged = event<{ message: Message; ticket: Ticket }>('message.changed')

/** A message is gone, as if it had never been; its ticket as it stands now. */
export const messageRemoved = event<{ messageId: string; ticket: Ticket }>('message.removed')

/** A message waits in the outbox of a connection. */
export const outboxFilled = event<{ whatsappId: number; messageId: string }>('outbox.filled')

/** Something waits to be done to a message of a connection. */
export const operationRequested = event<{ whatsappId: number; messageId: string }>('operation.requested')

/** The customer of a ticket writes or records at this moment. */
export const customerTyped = event<{
  contactId: number
  ticket: TicketStanding & { id: number }
  state: Typing
}>('customer.typed')

/** A file is to be fetched now. */
export const mediaWanted = event<{ whatsappId: number }>('media.wanted')

export const mediaTopic = (whatsappId: number) => `media:${whatsappId}`

export const outboxTopic = (whatsappId: number) => `outbox:${whatsappId}`

export const operationTopic = (whatsappId: number) => `operations:${whatsappId}`
