import { z } from 'zod'
import { GroupMember } from './kinds.ts'
import { channel, flag, id, instant, oneOf, pageNumber, route, text } from './kit.ts'
import { Media, Referral } from './media.ts'
import { chosenId, MAX_BODY, MessageInput, mentions, writtenBody } from './messages.input.ts'
import { MessageSource, Ticket } from './tickets.ts'

/** Maximum of messages forwarded in one call. */
export const MAX_FORWARDED = 20

/** Delivery: 0 failed, 1 not yet at the server, 2 sent, 3 delivered, 4 read, 5 played. It only rises. */
export const Ack = z.int().min(0).max(5)

const Quoted = z.object({
  /** Null where the message is not here, and a shortened copy is shown. */
  id: z.uuid().nullable(),
  body: z.string(),
  fromMe: z.boolean(),
  mediaType: z.string().nullable(),
  isDeleted: z.boolean(),
  /** Empty for messages of the company: `user` and `source` identify the sender. */
  author: z.string(),
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  source: MessageSource,
  isPrivate: z.boolean(),
  /** The company's status is answered to: it is not kept here. */
  isStatus: z.boolean(),
})

export const Typing = z.enum(['composing', 'recording', 'paused'])
export type Typing = z.infer<typeof Typing>

/** A message in answers, pushes and caches. */
export const Message = z.object({
  id: z.uuid(),
  ticketId: z.int(),
  contactId: z.int(),
  body: z.string(),
  fromMe: z.boolean(),
  read: z.boolean(),
  ack: Ack,
  /**
   * Why ack is 0, or why what was last done to it (deleted, edited, reacted) was refused: a code of the catalogue, or
   * what WhatsApp answered; empty otherwise.
   */
  failReason: z.string(),
  isDeleted: z.boolean(),
  /**
   * Null for plain text; image, video, audio, document, sticker, location, vcard, call_log, poll, order, event,
   * payment, chat_event, masked (only the phone shows it), unknown (a kind that cannot be read yet), and editedMessage or reactionMessage where the message meant is not known here; ciphertext while the
   * content is not here: it replaces the placeholder under the same id. Anything else is kept under WhatsApp's own
   * name and shown as not supported.
   */
  mediaType: z.string().nullable(),
  /** Where the file is fetched with the bearer token; null without a file, or while it is not here. */
  mediaUrl: z.string().nullable(),
  media: Media.nullable(),
  /** JSON text of one of the `…Data` shapes of media.ts and kinds.ts, by mediaType. */
  dataJson: z.string().nullable(),
  quotedMsg: Quoted.nullable(),
  /** One per person at most; in order of arrival. */
  reactions: z.array(z.object({ emoji: z.string(), fromMe: z.boolean(), name: z.string() })),
  isForwarded: z.boolean(),
  /** A note of the company: no customer, bot or program sees it. */
  isPrivate: z.boolean(),
  /** Of a note: the users and the queues that it mentions. */
  mentions: z.array(z.int()).optional(),
  queueMentions: z.array(z.int()).optional(),
  /** The ad, post or product through which the customer came; null elsewhere. */
  referral: Referral.nullable(),
  /** When its text was last changed; null when unchanged. */
  editedAt: instant.nullable(),
  source: MessageSource,
  /**
   * The author within the company, or the user in whose name a greeting was sent; null for the customer, a bot or the
   * phone itself.
   */
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  contact: z.object({ id: z.int(), name: z.string() }),
  /** The author in a group; null elsewhere. The number is empty while only a LID is known. */
  author: z.object({ name: z.string(), number: z.string() }).nullable(),
  ticket: z.object({ id: z.int(), protocol: z.string(), queueId: z.int().nullable() }),
  /** Rises with every change, as on the ticket. */
  version: z.int(),
  /** Its position in the conversation: the order of arrival, independent of clocks. */
  position: z.int(),
  /** Scheduled time of sending; null once sending began, and for immediate messages. */
  dueAt: instant.nullable(),
  createdAt: instant,
})
export type Message = z.infer<typeof Message>

/** An earlier version of a message that was changed, or deleted for everyone. */
export const MessageVersion = z.object({
  what: z.enum(['edit', 'delete']),
  body: z.string(),
  mediaUrl: z.string().nullable(),
  media: Media.nullable(),
  /** Of what kind a deleted message was; null: a text. Its content is empty where the company does not keep it. */
  mediaType: z.string().nullable(),
  /** The user who changed it; null: its author, on a phone. */
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  at: instant,
})
export type MessageVersion = z.infer<typeof MessageVersion>

/** How long a message may be pinned, as phones offer it. */
export const PIN_SPANS = ['day', 'week', 'month'] as const
export type PinSpan = (typeof PIN_SPANS)[number]
export const PIN_SECONDS: Record<PinSpan, number> = { day: 86_400, week: 604_800, month: 2_592_000 }

export const PinnedMessage = Message.extend({ pinnedUntil: instant })
export type PinnedMessage = z.infer<typeof PinnedMessage>

const messageId = z.object({ messageId: z.uuid() })

export const messages = {
  list: route('GET', '/messages/:ticketId', {
    needs: 'session',
    summary:
      'Messages of the ticket (or of its contact, by the viewMessagesByTicket rule), newest page first, each page oldest first; or those around, before or behind one of them. The newest page counts as read when the owner asks for it, unless it is asked `ahead`. ERR_FETCH_WAPP_MSG when that one is not part of it.',
    params: z.object({ ticketId: id }),
    query: z.object({
      pageNumber: pageNumber.optional(),
      searchTerm: z.string().trim().max(200).optional(),
      /** `1`: prefetched, so that nothing is marked as read. */
      ahead: flag.optional(),
      /** The newest message that the reader saw: later ones stay unread. Default: all of the page. */
      readUpTo: z.uuid().optional(),
      /** Instead of a page: a message of the conversation with those around it, those before it, those behind it. */
      around: z.uuid().optional(),
      before: z.uuid().optional(),
      after: z.uuid().optional(),
    }),
    /** `hasMore`: older ones follow; `hasNewer`: newer ones do. */
    reply: z.object({
      messages: z.array(Message),
      hasMore: z.boolean(),
      hasNewer: z.boolean(),
      ticket: Ticket,
    }),
  }),
  files: route('GET', '/messages/:ticketId/files', {
    needs: 'session',
    summary:
      'Messages of the conversation that have a file, newest first; of the contact’s other tickets only what the caller may read there.',
    params: z.object({ ticketId: id }),
    query: z.object({ pageNumber: pageNumber.optional() }),
    reply: z.object({ messages: z.array(Message), hasMore: z.boolean() }),
  }),
  send: route('POST', '/messages/:ticketId/:companyId', {
    needs: 'session',
    summary:
      'Puts a message in the outbox and answers it with ack 1: a text (with `choices` to tap), files (`medias`), a place, contacts, a poll or a template. With `isPrivate` it is a note: a text or files that never leave, on a ticket of any status, with `mentions` (ids of users) and `queueMentions`; ERR_MENTION_NOT_ALLOWED names those who may not read the ticket, and nothing is written. Of several files the first is answered, the others stand in `also`.',
    params: z.object({ ticketId: id, companyId: id }),
    files: 'also',
    body: MessageInput,
    reply: Message.extend({ also: z.array(Message).optional() }),
  }),
  forward: route('POST', '/tickets/:ticketId/forward', {
    needs: 'session',
    summary:
      'Sends messages that the caller reads in the conversation `from` to an open ticket, in their order, marked as forwarded; files are not uploaded again. Sent twice with the same ids they are sent once. ERR_FETCH_WAPP_MSG for one that is not read there, or cannot be forwarded.',
    params: z.object({ ticketId: id }),
    body: z.object({
      from: id,
      /** `id`: of the new message, chosen by the sender’s screen. */
      messages: z
        .array(z.object({ id: chosenId, messageId: chosenId }))
        .min(1)
        .max(MAX_FORWARDED)
        .refine(all => new Set(all.map(({ id }) => id)).size === all.length, 'An id twice'),
    }),
    reply: z.object({ messages: z.array(Message) }),
  }),
  resend: route('POST', '/messages/resend/:messageId', {
    needs: 'session',
    summary: 'Tries a failed message again under its first WhatsApp id.',
    params: messageId,
    reply: Message,
  }),
  remove: route('DELETE', '/messages/:messageId/:channel', {
    needs: 'session',
    summary:
      'Deletes one of the own messages for everyone. ERR_FETCH_WAPP_MSG when there is none, ERR_DELETE_WAPP_MSG when it can no longer be deleted. It is marked once the network agreed.',
    params: messageId.extend({ channel: z.string().max(50) }),
    reply: Message,
  }),
  edit: route('PUT', '/messages/:messageId', {
    needs: 'session',
    summary:
      'Changes the text of one of the own messages, at most 15 minutes after it was sent; its author or an admin. The former text is kept; members who were mentioned before are still, where their names stand in the text.',
    params: messageId,
    body: z.object({ body: text(1, MAX_BODY).pipe(writtenBody), mentions: mentions.optional() }),
    reply: Message,
  }),
  versions: route('GET', '/messages/:messageId/versions', {
    needs: 'session',
    summary:
      'What a message said before, oldest first, and who of the company changed it. Who deleted it for everyone is for admins, with what it was where the company keeps that.',
    params: messageId,
    reply: z.object({ versions: z.array(MessageVersion) }),
  }),
  react: route('PUT', '/messages/:messageId/reaction', {
    needs: 'session',
    summary: 'Puts the company’s reaction on a message, or takes it off with an empty one.',
    params: messageId,
    body: z.object({ emoji: z.string().max(40) }),
    reply: Message,
  }),
  pin: route('PUT', '/messages/:messageId/pin', {
    needs: 'session',
    summary:
      'Pins a message for everyone, or takes the pin off (null), once the network agreed. ERR_FETCH_WAPP_MSG when there is none, ERR_WAPP_UNSUPPORTED on the official API.',
    params: messageId,
    body: z.object({ span: oneOf(PIN_SPANS).nullable() }),
    reply: Message,
  }),
  pins: route('GET', '/tickets/:ticketId/pins', {
    needs: 'session',
    summary:
      'The pinned messages of the conversation that the caller may read, the latest first, and whether its connection pins.',
    params: z.object({ ticketId: id }),
    reply: z.object({ pins: z.array(PinnedMessage), mayPin: z.boolean() }),
  }),
  fetchMedia: route('POST', '/messages/:messageId/media', {
    needs: 'session',
    summary:
      'Tries again to fetch a file that could not be had. ERR_FETCH_WAPP_MSG when there is nothing to fetch.',
    params: messageId,
    reply: Message,
  }),
  members: route('GET', '/tickets/:ticketId/members', {
    needs: 'session',
    summary: 'Who wrote in the group of the ticket, the latest first; empty for a chat of two.',
    params: z.object({ ticketId: id }),
    reply: z.object({ members: z.array(GroupMember) }),
  }),
  type: route('POST', '/tickets/:ticketId/typing', {
    needs: 'session',
    summary: 'Shows the customer that an attendant types or records, until changed or for 10 seconds.',
    params: z.object({ ticketId: id }),
    body: z.object({ state: Typing }),
  }),
}

/** What the customer does at this moment. A push may be lost: it counts for 10 seconds at most. */
export const typingChannel = channel(
  'typing-{companyId}',
  z.object({ contactId: z.int(), ticketId: z.int(), state: Typing }),
)

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
