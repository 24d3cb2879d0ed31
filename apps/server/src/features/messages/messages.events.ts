import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'

/** A message came or went out, and its ticket as it stands with it. */
export const messageCreated = event<{ message: Message; ticket: Ticket }>('message.created')

/** Delivered, read, failed, queued again. */
export const messageChanged = event<{ message: Message; ticket: Ticket }>('message.changed')

/** Something waits in the outbox of a connection. */
export const outboxFilled = event<{ whatsappId: number }>('outbox.filled')

export const outboxTopic = (whatsappId: number) => `outbox:${whatsappId}`
