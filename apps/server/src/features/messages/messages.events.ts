import type { Message, Typing } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { Chat, InboundEvent } from '../../driver.ts'
import { event } from '../../platform/events.ts'
import type { TicketState } from '../tickets/tickets.events.ts'
import type { InboundRow } from './inbound/inbound.rules.ts'

/** A message was received or put in the outbox; its ticket as it is with it. */
export const messageCreated = event<{ message: Message; ticket: Ticket }>('message.created')

/**
 * A message of a customer, as it is inserted. `isNew`: it opened its ticket. `isLate`: its content replaces a placeholder,
 * and other messages followed; no bot takes it as an answer. `tapId`: the id of the choice that was tapped. `writtenAt`: by
 * the network's clock.
 */
export interface ReceivedMessage {
  ticket: Ticket
  message: Message
  isNew: boolean
  isLate?: boolean
  tapId?: string | undefined
  writtenAt?: string
  /** What features have to know of it, by the names of their lookups (`inbound/responders.actions.ts`). */
  lookedUp: Record<string, unknown>
}

/** A customer wrote; in the commit that inserts the message, after a responder may have answered. */
export const customerWrote = event<ReceivedMessage>('customer.wrote')

/**
 * A text was typed on the company's phone, or the phone greeted by itself; before it is inserted. `isQuick`: the customer had
 * written within seconds. `isAside` makes it no answer, and no user takes over.
 */
export const phoneWriting = event<{ ticketId: number; isQuick: boolean; isAside: boolean }>('phone.writing')

/** A customer wrote what cannot be read yet; in the commit that inserts its placeholder. `customerWrote` follows with the content. */
export const placeholderArrived = event<{ ticket: Ticket }>('placeholder.arrived')

/**
 * A customer who was asked for an answer after a closing (`contacts.answer_until`) wrote; before the message is inserted. Who
 * takes it inserts it and names its ticket in `joined`: no ticket opens then, and nothing greets. `filledIn`: the message is
 * there already, and alone opened its ticket, which its content closes: it stays there.
 */
export const afterwordArrived = event<{
  contact: { id: number; isGroup: boolean }
  row: Omit<InboundRow, 'id'> & { id: string }
  tapId: string | undefined
  repliesUntil: string | undefined
  joined: number | null
  filledIn?: { ticket: Ticket; message: Message }
}>('afterword.arrived')

/** A person stopped or resumed marketing in WhatsApp itself; in the commit that receives it. */
export const marketingChosen = event<{ chat: Chat; isWanted: boolean; at: string; whatsappId: number }>(
  'marketing.chosen',
)

/** WhatsApp refused a message, since its recipient stopped marketing; in the commit of the failure. */
export const marketingRefused = event<{ contactId: number; at: string }>('marketing.refused')

/**
 * The customer of a chat of two chose in a poll of a bot; in the commit that counts the vote. `tapId`: what the choice means to
 * the bot; `at`: by the network's clock.
 */
export interface BotPollAnswered {
  ticketId: number
  messageId: string
  tapId: string
  choice: string
  at: string
}
export const botPollAnswered = event<BotPollAnswered>('bot.poll.answered')

/** A line of the chat that is about a message was received; in the commit that inserts it. */
export const lineAboutMessage = event<{
  event: Extract<InboundEvent, { kind: 'message' }>
  messageId: string
  /** With whom the chat of the line is. */
  contactId: number
}>('line.about.message')

/** A user wrote in these tickets, here or on the company's phone; within the commit of the messages. */
export const companyWrote = event<{ ticketIds: number[] }>('company.wrote')

/**
 * A note was written, changed or deleted; within its commit. Whoever follows it refuses what may not be. `before`: whom it
 * mentioned until then.
 */
export const noteKept = event<{
  message: Message
  ticket: Ticket
  before: { mentions: number[]; queueMentions: number[] }
}>('note.kept')

/** Users sent drafts of tickets, as they were at that change of the draft; within the commit of the messages. */
export const draftsSent = event<{ sent: SentDraft[] }>('drafts.sent')

export interface SentDraft {
  userId: number
  ticketId: number
  at: number
}

/** Receipts for messages of schedules and campaigns, each message once; within their commit. */
export const messagesSettled = event<{ messages: Message[] }>('messages.settled')

/** A message changed: its ack, text, reactions or file, or it was deleted. */
export const messageChanged = event<{ message: Message; ticket: Ticket }>('message.changed')

/** A message that never left was removed; its ticket as it is now. */
export const messageRemoved = event<{ messageId: string; ticket: Ticket }>('message.removed')

/** A message waits in the outbox of a connection. */
export const outboxFilled = event<{ whatsappId: number; messageId: string }>('outbox.filled')

/** An operation on a message of a connection waits. */
export const operationRequested = event<{ whatsappId: number; messageId: string }>('operation.requested')

/** The customer of a ticket is typing or recording. */
export const customerTyped = event<{
  contactId: number
  ticket: TicketState & { id: number }
  state: Typing
}>('customer.typed')

/** A file is to be fetched now. */
export const mediaWanted = event<{ whatsappId: number }>('media.wanted')

// Topics of signals to the process that owns a connection.
export const mediaTopic = (whatsappId: number) => `media:${whatsappId}`

export const outboxTopic = (whatsappId: number) => `outbox:${whatsappId}`

export const operationTopic = (whatsappId: number) => `operations:${whatsappId}`

export const readTopic = (whatsappId: number) => `read:${whatsappId}`

/** The messages for which the network gets read receipts. */
export interface ReadNotice {
  companyId: number
  contactId: number
  messages: { externalId: string; author: { kind: 'phone' | 'lid'; value: string } | null }[]
}

export const typeTopic = (whatsappId: number) => `type:${whatsappId}`

/** What an attendant does at this moment; it may be lost. */
export interface TypeNotice {
  contactId: number
  state: Typing
}
