import { z } from 'zod'
import { channel, id, instant, pageNumber, route } from './kit.ts'
import { Ticket } from './tickets.ts'

/** WhatsApp's own limit for a text. */
export const MAX_BODY = 65_536

/** Delivery: 0 failed, 1 not yet at the server, 2 sent, 3 delivered, 4 read, 5 played. It only rises. */
export const Ack = z.int().min(0).max(5)

const Quoted = z.object({
  id: z.uuid(),
  body: z.string(),
  fromMe: z.boolean(),
  mediaType: z.string().nullable(),
  isDeleted: z.boolean(),
  author: z.string(),
})

/** A message as answers, pushes and caches hold it. */
export const Message = z.object({
  id: z.uuid(),
  ticketId: z.int(),
  contactId: z.int(),
  body: z.string(),
  fromMe: z.boolean(),
  read: z.boolean(),
  ack: Ack,
  /** Why ack is 0: a code of the catalogue, or what WhatsApp answered; empty otherwise. */
  failReason: z.string(),
  isDeleted: z.boolean(),
  mediaType: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  dataJson: z.string().nullable(),
  quotedMsg: Quoted.nullable(),
  /** Who of the company wrote it; null for the customer, a bot or the phone itself. */
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Who wrote it in a group. */
  contact: z.object({ id: z.int(), name: z.string() }),
  ticket: z.object({ id: z.int(), protocol: z.string(), queueId: z.int().nullable() }),
  /** Rises with every change, as on the ticket. */
  version: z.int(),
  createdAt: instant,
})
export type Message = z.infer<typeof Message>

export const MessageInput = z.object({
  /** Chosen by the sender's screen: the same id sent twice is one message. */
  id: z.uuid().optional(),
  body: z
    .string({ error: 'Required' })
    .max(MAX_BODY, 'Too Long!')
    .refine(body => body.trim() !== '', 'Required'),
  fromMe: z.union([z.boolean(), z.string()]).optional(),
  read: z.union([z.boolean(), z.int()]).optional(),
  mediaUrl: z.string().optional(),
  /** The message answered to, or its id. */
  quotedMsg: z
    .union([z.uuid(), z.looseObject({ id: z.uuid() }).transform(message => message.id)])
    .nullable()
    .optional(),
})

export const messages = {
  list: route('GET', '/messages/:ticketId', {
    needs: 'session',
    says: 'Messages of the ticket (or of its contact, by the viewMessagesByTicket rule), newest page first, each page oldest first.',
    params: z.object({ ticketId: id }),
    query: z.object({ pageNumber: pageNumber.optional(), searchTerm: z.string().trim().max(200).optional() }),
    reply: z.object({ messages: z.array(Message), hasMore: z.boolean(), ticket: Ticket }),
  }),
  send: route('POST', '/messages/:ticketId/:companyId', {
    needs: 'session',
    says: 'Puts a message in the outbox and answers it with ack 1.',
    params: z.object({ ticketId: id, companyId: id }),
    body: MessageInput,
    reply: Message,
  }),
  resend: route('POST', '/messages/resend/:messageId', {
    needs: 'session',
    says: 'Tries a failed message again under its first WhatsApp id.',
    params: z.object({ messageId: z.uuid() }),
    reply: Message,
  }),
}

export const messageChannel = channel(
  'appMessage-{companyId}',
  z.discriminatedUnion('action', [
    z.object({
      action: z.enum(['create', 'update']),
      message: Message,
      ticket: Ticket,
      contact: Ticket.shape.contact,
    }),
    z.object({ action: z.literal('delete'), messageId: z.uuid(), ticketId: z.int() }),
  ]),
)
export type MessagePush = z.infer<typeof messageChannel.payload>
