import { z } from 'zod'
import { ClosingInput } from './closingReasons.ts'
import {
  channel,
  day,
  flag,
  id,
  idList,
  idOrWord,
  instant,
  moment,
  pageNumber,
  queueChoice,
  route,
} from './kit.ts'
import { TargetFilter, TicketTargets } from './targets.ts'
import { TicketEvent } from './tickets.history.ts'

export const TicketStatus = z.enum(['pending', 'open', 'closed'])
export type TicketStatus = z.infer<typeof TicketStatus>

/**
 * Sender: the customer, an attendant, the company's own phone, or automation: a greeting or farewell, a bot, a
 * schedule, a campaign, the public API, an invoice notice.
 */
export const MessageSource = z.enum([
  'contact',
  'person',
  'phone',
  'greeting',
  'bot',
  'flow',
  'schedule',
  'campaign',
  'api',
  'notice',
])
export type MessageSource = z.infer<typeof MessageSource>

/** One conversation with a contact, the same in answers, pushes and caches. */
export const Ticket = z.object({
  id: z.int(),
  uuid: z.uuid(),
  companyId: z.int(),
  status: TicketStatus,
  protocol: z.string(),
  /** 1 when an attendant started it; 0 when the customer did. */
  source: z.int(),
  channel: z.string(),
  isGroup: z.boolean(),
  userId: z.int().nullable(),
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  queueId: z.int().nullable(),
  queue: z.object({ id: z.int(), name: z.string(), color: z.string() }).nullable(),
  contactId: z.int(),
  contact: z.object({
    id: z.int(),
    name: z.string(),
    number: z.string(),
    lid: z.string(),
    username: z.string(),
    email: z.string(),
    profilePicUrl: z.string(),
    /** The user whose customer it is. */
    ownerId: z.int().nullable(),
  }),
  whatsappId: z.int().nullable(),
  whatsapp: z.object({ id: z.int(), name: z.string() }).nullable(),
  tags: z.array(z.object({ id: z.int(), name: z.string(), color: z.string() })),
  unreadMessages: z.int(),
  /** Sent by the company: how many failed, or have an unknown outcome, and were not sent again. */
  failedMessages: z.int(),
  lastMessage: z.string(),
  lastMessageId: z.string().nullable(),
  lastMessageFromMe: z.boolean(),
  lastMessageAck: z.int(),
  lastMessageType: z.string().nullable(),
  /** The sender of the last message; null without messages. */
  lastMessageBy: z
    .object({ source: MessageSource, user: z.object({ id: z.int(), name: z.string() }).nullable() })
    .nullable(),
  /** Since when the customer waits for an answer; null when the company spoke last. */
  waitingSince: instant.nullable(),
  /** A bot leads the conversation: it waits for the customer or a model, not for a user. */
  withBot: z.boolean(),
  targets: TicketTargets,
  /** When the next of them is due, or was where one is late; null where none runs. */
  targetDueAt: instant.nullable(),
  /**
   * Until when the official API lets the company write freely: 24 hours after the customer last wrote. Null where
   * nothing limits it. In the past only templates may be sent.
   */
  repliesUntil: instant.nullable(),
  /** Until when it is put aside: out of all lists and counts but those of `snoozed`. Null: it is not. */
  snoozedUntil: instant.nullable(),
  /** Marks of the asker, in answers to them; a push to many does not have them. */
  following: z.boolean().optional(),
  pinned: z.boolean().optional(),
  /** Rises with every change; a push with a lower one than was seen is old news. */
  version: z.int(),
  createdAt: instant,
  /** The last thing that happened; lists are ordered by it, newest first. */
  updatedAt: instant,
})
export type Ticket = z.infer<typeof Ticket>

export const TicketSort = z.enum(['newest', 'waiting', 'target'])
export type TicketSort = z.infer<typeof TicketSort>

export const BotFilter = z.enum(['only', 'without'])
export type BotFilter = z.infer<typeof BotFilter>

export const TicketListInput = z.object({
  searchParam: z.string().trim().max(200).optional(),
  pageNumber: pageNumber.optional(),
  status: TicketStatus.or(z.literal('')).optional(),
  /** A day (UTC−3 unless configured): tickets created on it. */
  date: day.or(z.literal('')).optional(),
  showAll: flag.optional(),
  /** Exactly these queues; 0 among them means tickets without one. Default: whatever the caller may see. */
  queueIds: queueChoice.optional(),
  withUnreadMessages: flag.optional(),
  /** Only those with messages of the company that failed. */
  withFailedMessages: flag.optional(),
  /** Only those that a bot leads, or only the others. */
  bot: BotFilter.optional(),
  target: TargetFilter.optional(),
  tags: idList.optional(),
  contactCategories: idList.optional(),
  tab: z.enum(['open', 'closed', 'search']).optional(),
  searchContactId: id.optional(),
  searchUserId: id.optional(),
  searchInitialDate: moment.optional(),
  searchFinalDate: moment.optional(),
  searchTicketStatus: z.enum(['all', 'pending', 'open', 'closed', '']).optional(),
  /** Only those that are snoozed, which no other list has; a search finds them too. */
  snoozed: flag.optional(),
  /** Only those that the caller follows. */
  following: flag.optional(),
  /** Followed tickets in which the customer wrote since the caller saw them. */
  news: flag.optional(),
  /** `waiting`: longest waiting first; `target`: what is due next first. Only for open and pending lists; all others are newest first. */
  sort: TicketSort.optional(),
})
export type TicketListInput = z.infer<typeof TicketListInput>

/** A search result in a conversation: the text around the match, two lines at most. */
export const TicketHit = z.object({
  ticketId: z.int(),
  messageId: z.uuid(),
  body: z.string(),
  /** It stands in a note of the company. */
  isNote: z.boolean(),
})
export type TicketHit = z.infer<typeof TicketHit>

/** The tickets that a user pinned and follows. */
export const TicketMarks = z.object({ pinned: z.array(z.int()), following: z.array(z.int()) })
export type TicketMarks = z.infer<typeof TicketMarks>

const ticketId = z.object({ ticketId: id })

/** A user who may be given a ticket: whether a screen is open, and the open tickets. */
export const TicketAttendant = z.object({ userId: z.int(), online: z.boolean(), openTickets: z.int() })
export type TicketAttendant = z.infer<typeof TicketAttendant>

/** Language of an exported sheet. */
export const ExportLanguage = z.enum(['ptBR', 'en', 'es'])
export type ExportLanguage = z.infer<typeof ExportLanguage>

export const tickets = {
  list: route('GET', '/tickets', {
    needs: 'session',
    summary:
      'Tickets that the caller may see, newest activity first unless `sort` says otherwise. What the query asks only narrows that. Those that the caller pinned come before the others of the first page.',
    query: TicketListInput,
    reply: z.object({
      tickets: z.array(Ticket),
      hasMore: z.boolean(),
      count: z.int(),
      /** All marks of the caller, where there are any. */
      marks: TicketMarks.optional(),
      /** Text search: of each of these tickets the newest matching message. */
      hits: z.array(TicketHit).optional(),
    }),
  }),
  show: route('GET', '/tickets/:ticketId', {
    needs: 'session',
    summary: 'One ticket, by id or uuid.',
    params: z.object({ ticketId: id.or(z.uuid()) }),
    /** `closingReason`: of a closed ticket that has one. */
    reply: Ticket.extend({
      closingReason: z.object({ id: z.int(), name: z.string() }).nullable().optional(),
    }),
  }),
  story: route('GET', '/tickets/:ticketId/history', {
    needs: 'session',
    summary:
      'What happened to the ticket, and to those that its conversation shows by the viewMessagesByTicket rule: the newest 500, oldest first.',
    params: ticketId,
    reply: z.object({ events: z.array(TicketEvent) }),
  }),
  attendants: route('GET', '/ticketAttendants', {
    needs: 'session',
    summary:
      'Who may be given a ticket: every user of the company, whether a screen is open, and the open tickets.',
    reply: z.array(TicketAttendant),
  }),
  open: route('POST', '/tickets', {
    needs: 'session',
    summary: 'An attendant starts a conversation: an open ticket, source 1.',
    body: z.object({
      contactId: id,
      queueId: id.nullable().optional(),
      userId: id.optional(),
      status: TicketStatus.optional(),
      whatsappId: id.nullable().optional(),
    }),
    reply: Ticket,
  }),
  change: route('PUT', '/tickets/:ticketId', {
    needs: 'session',
    summary:
      'Accepts, returns, resolves, reopens or (transf) transfers a ticket. With the status closed it takes a reason of the company and words beside it; ERR_CLOSING_REASON_REQUIRED where its queue requires a reason.',
    params: ticketId,
    body: z.object({
      status: TicketStatus.optional(),
      userId: id.nullable().optional(),
      queueId: id.nullable().optional(),
      whatsappId: id.optional(),
      transf: z.boolean().optional(),
      ...ClosingInput,
    }),
    reply: Ticket,
  }),
  undo: route('POST', '/tickets/:ticketId/undo', {
    needs: 'session',
    summary:
      'Puts a ticket back where it stood before the last move, when that was the caller’s own, a moment ago. Nobody is greeted again.',
    params: ticketId,
    reply: Ticket,
  }),
  remove: route('DELETE', '/tickets/:ticketId', {
    needs: 'ticket-options:deleteTicket',
    summary: 'Deletes a ticket with its messages.',
    params: ticketId,
  }),
  clearTags: route('DELETE', '/ticket-tags/:ticketId', {
    needs: 'session',
    summary: 'Takes all tags off a ticket.',
    params: ticketId,
    reply: Ticket,
  }),
  addTag: route('PUT', '/ticket-tags/:ticketId/:tagId', {
    aliases: ['/ticket-tags/:ticketId'],
    needs: 'session',
    summary: 'Puts a tag on a ticket; a tag that is not there changes nothing (OP-104).',
    params: z.object({ ticketId: id, tagId: idOrWord.optional() }),
    reply: Ticket,
  }),
  syncTags: route('POST', '/tags/sync', {
    needs: 'session',
    summary: 'The tags of a ticket are these, and no others. Tags may be named by id or sent whole.',
    body: z.object({ ticketId: id, tags: z.array(id.or(z.object({ id }))).max(100) }),
    reply: Ticket,
  }),
  checkContactOpen: route('POST', '/tickets/checkcontactopen', {
    needs: 'session',
    summary: 'The open or pending ticket of a contact, asked after a refused creation.',
    body: z.object({ contactId: id }),
    reply: Ticket,
  }),
  resolveMany: route('POST', '/ticketsclosed', {
    needs: 'tickets:resolveMany',
    summary:
      'Resolves the named tickets that are not closed yet, for one reason. ERR_CLOSING_REASON_REQUIRED, before any is resolved, where the queue of one requires a reason.',
    body: z.object({ Tickets: z.array(id).max(10_000), ...ClosingInput }),
    reply: z.object({ closed: z.int() }),
  }),
  export: route('POST', '/ticketsExport', {
    needs: 'tickets:export',
    summary:
      'What was said in a period, as a spreadsheet (date, author, message): of one contact, or of all tickets that the caller may read. The link is good for a day, for users of the company; null when nothing was said.',
    limit: { counts: 'calls', caller: 10 },
    body: z.object({
      initialDate: moment.nullable().optional(),
      finalDate: moment.nullable().optional(),
      /** By id, or sent whole. */
      contact: id
        .or(z.object({ id }).transform(contact => contact.id))
        .nullable()
        .optional(),
      language: ExportLanguage.optional(),
      /** With the notes of the company, marked as such; without it they stay out. */
      notes: flag.optional(),
    }),
    reply: z.object({ link: z.string().nullable() }),
  }),
  query: route('GET', '/ticketsquery', {
    needs: 'session',
    summary:
      'Tickets created in a range, by queue and attendant, on request only the living: the newest 1,000; `hasMore` says that there are others.',
    query: z.object({
      initialDate: moment.optional(),
      finalDate: moment.optional(),
      selectedQueueIds: idList.optional(),
      selectedUserIds: idList.optional(),
      /** Only those that are not closed yet. */
      living: flag.optional(),
    }),
    reply: z.object({
      tickets: z.array(Ticket),
      reportData: z.object({ tickets: z.array(Ticket) }),
      hasMore: z.boolean(),
    }),
  }),
}

/** The state of a ticket that decides who sees it and in which lists. */
export const TicketPlace = Ticket.pick({ status: true, queueId: true, userId: true }).extend({
  /** Omitted where it is not snoozed. */
  snoozedUntil: instant.nullable().optional(),
  /** The owner of its contact; left out where it did not change. */
  ownerId: z.int().nullable().optional(),
})

export const ticketChannel = channel(
  'ticket-{companyId}',
  z.discriminatedUnion('action', [
    z.object({
      action: z.literal('update'),
      ticket: Ticket,
      /** Previous state, null when it is new; omitted when unchanged. */
      before: TicketPlace.nullable().optional(),
      /** Set when a colleague transferred the ticket: that user. */
      transf: z.boolean().optional(),
      transferredBy: z.object({ id: z.int(), name: z.string() }).optional(),
    }),
    z.object({ action: z.literal('updateUnread'), ticketId: z.int(), version: z.int() }),
    z.object({ action: z.literal('delete'), ticketId: z.int(), place: TicketPlace }),
  ]),
)
export type TicketPush = z.infer<typeof ticketChannel.payload>
