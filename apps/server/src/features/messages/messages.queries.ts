import type { Message } from '@balcao/contract/messages.ts'
import { LAST_WORDS, lastWordsOf } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { alias } from 'drizzle-orm/pg-core'
import { type Sql, together } from '../../platform/postgres/db.ts'
import { given, insertingAll, prepared, statement, written } from '../../platform/postgres/prepared.ts'
import { and, eq, getTableColumns, inArray, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { loadTicket, loadTickets } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'
import type { inboundEvents } from './messages.log.table.ts'
import { messages } from './messages.table.ts'

export type MessageRow = typeof messages.$inferSelect
export type MessageFields = Partial<typeof messages.$inferInsert>
export type InboundEventRow = typeof inboundEvents.$inferSelect

export const quoted = alias(messages, 'quoted')
export const quotedUser = alias(users, 'quoted_user')

/** Before every clock's now: what is due at once does not wait for the clock of the database. */
export const AT_ONCE = new Date(0).toISOString()

/** What a message shows that was deleted for everyone. */
export const BLANK = { body: '', mediaType: null, mediaUrl: null, media: null, dataJson: null }

/** Columns of the outbox and of the media worker are not part of a message's public shape. */
const shown = (({
  mediaSource: _source,
  mediaDue: _due,
  mediaAttempts: _fetched,
  waits: _waits,
  outbox: _outbox,
  attempts: _sent,
  typing: _typing,
  typingFrom: _from,
  companyId: _company,
  ...rest
}) => rest)(getTableColumns(messages))

/** Joins of everything that a message shows. */
export const messageJoins = {
  contact: and(eq(contacts.companyId, messages.companyId), eq(contacts.id, messages.contactId)),
  ticket: and(eq(tickets.companyId, messages.companyId), eq(tickets.id, messages.ticketId)),
  user: and(eq(users.companyId, messages.companyId), eq(users.id, messages.userId)),
  quoted: and(eq(quoted.companyId, messages.companyId), eq(quoted.id, messages.quotedId)),
  quotedUser: and(eq(quotedUser.companyId, quoted.companyId), eq(quotedUser.id, quoted.userId)),
}

/** Whole messages in one statement: the shape of answers, pushes and caches. */
export function selectMessages(sql: Sql) {
  return sql
    .select({
      message: shown,
      user: { id: users.id, name: users.name },
      contact: { id: contacts.id, name: contacts.name },
      ticket: { id: tickets.id, protocol: tickets.protocol, queueId: tickets.queueId },
      quoted: {
        id: quoted.id,
        body: quoted.body,
        fromMe: quoted.fromMe,
        mediaType: quoted.mediaType,
        isDeleted: quoted.isDeleted,
        author: quoted.author,
        source: quoted.source,
        isPrivate: quoted.isPrivate,
      },
      quotedUser: { id: quotedUser.id, name: quotedUser.name },
    })
    .from(messages)
    .innerJoin(contacts, messageJoins.contact)
    .innerJoin(tickets, messageJoins.ticket)
    .leftJoin(users, messageJoins.user)
    .leftJoin(quoted, messageJoins.quoted)
    .leftJoin(quotedUser, messageJoins.quotedUser)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectMessages>>[number]

export function toMessage({
  message,
  user,
  contact,
  ticket,
  quoted: origin,
  quotedUser: by,
}: Selected): Message {
  const { reactions, author, quotedCopy, mentions, queueMentions, ...rest } = message
  return {
    ...rest,
    // messages that were deleted before deletion blanked the row
    ...(rest.isDeleted && BLANK),
    reactions: (rest.isDeleted ? [] : reactions)
      .filter(({ emoji }) => emoji)
      .map(({ by, emoji, name }) => ({ emoji, fromMe: by === 'me', name })),
    author: author && { name: author.name, number: author.number },
    ...(rest.isPrivate && { mentions: mentions ?? [], queueMentions: queueMentions ?? [] }),
    user,
    contact,
    ticket,
    quotedMsg: origin
      ? {
          ...origin,
          ...(origin.isDeleted && { body: '', mediaType: null }),
          author: origin.fromMe ? '' : (origin.author?.name ?? contact.name),
          user: by,
          isStatus: false,
        }
      : copyOf(rest.isDeleted ? null : quotedCopy, contact.name),
  }
}

/** A quote of a message that is not here. */
function copyOf(copy: Selected['message']['quotedCopy'], contact: string): Message['quotedMsg'] {
  if (!copy) return null
  const source = copy.fromMe ? ('phone' as const) : ('contact' as const)
  const author = copy.fromMe ? '' : copy.author || contact
  return { ...copy, author, source, id: null, isDeleted: false, user: null, isPrivate: false }
}

/** One id has a stable row estimate and is planned once; a list would be planned on each call. */
const byId = prepared(sql =>
  selectMessages(sql).where(and(eq(messages.companyId, given('companyId')), eq(messages.id, given('id')))),
)

const byIds = prepared(sql =>
  selectMessages(sql).where(
    and(eq(messages.companyId, given('companyId')), tag`${messages.id} = any(${given('ids')}::uuid[])`),
  ),
)

/** Messages of the company in the order of their ids; those that do not exist are left out. */
export async function loadMessages(tx: Tx, ids: string[]): Promise<Message[]> {
  if (ids.length === 0) return []
  const { companyId } = tx
  const [id] = ids
  const rows = await (ids.length === 1
    ? byId(tx.sql, { companyId, id })
    : byIds(tx.sql, { companyId, ids: `{${ids}}` }))
  const found = new Map(rows.map(row => [row.message.id, toMessage(row)]))
  return ids.flatMap(id => found.get(id) ?? [])
}

/** A message of the company; null when there is none. */
export const loadMessage = async (tx: Tx, messageId: string): Promise<Message | null> =>
  (await loadMessages(tx, [messageId]))[0] ?? null

/** The row of a message of the company, locked; null when there is none. */
export async function lockMessage(tx: Tx, messageId: string): Promise<MessageRow | null> {
  const [row] = await tx.sql
    .select()
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, messageId)))
    .for('update')
  return row ?? null
}

/** Serializes everything that concerns chats (`of` a connection) by advisory locks, across processes, until the transaction ends; always in one order. */
export const lockChats = statement(
  written(
    () => tag`select pg_advisory_xact_lock(${given('companyId')}::int, chat) from (
    select distinct hashtext(name) as chat from unnest(${given('chats')}::text[]) as name order by chat) chats`,
  ),
  (of: number | string, chats: string[]) => ({ chats: chats.map(chat => `${of} ${chat}`) }),
)

export type NewMessage = typeof messages.$inferInsert & { createdAt: string; ack: number }

/**
 * What a message does to its ticket: an answer resets the unread count, a question raises it, an afterword leaves it, `aside`
 * (automatic texts, and targets that are not known here) changes nothing.
 */
export type Effect = 'answer' | 'question' | 'afterword' | 'aside'

/** A message to insert. `repliesUntil`: the end of the free reply window that it opens. */
export interface Arrival {
  row: NewMessage
  effect: Effect
  repliesUntil?: string | undefined
}

export interface Stored {
  message: Message
  ticket: Ticket
}

/**
 * Inserts messages in their order and updates their tickets, in one packet. Answers each with its ticket as they are then. The
 * caller holds the locks of the tickets, unless all effects on them are `aside`.
 */
export async function insertMessages<All extends Arrival[]>(
  tx: Tx,
  arrivals: [...All],
): Promise<{ [At in keyof All]: Stored }> {
  const rows = arrivals.map(({ row }) => row)
  const changes = changesOf(arrivals)
  const [, , stored, tickets] = await together(
    tx.sql,
    () => insertRows(tx.sql, rows),
    async () => changes.length > 0 && (await changeTickets(tx, changes)),
    () =>
      loadMessages(
        tx,
        rows.map(({ id }) => id),
      ),
    () =>
      loadTickets(
        tx,
        rows.map(({ ticketId }) => ticketId),
      ),
  )
  return stored.map((message, at) => ({ message, ticket: tickets[at]! })) as { [At in keyof All]: Stored }
}

const insertRows = insertingAll(messages)

/** What messages of one commit do to each ticket; `last` is the one that its preview shows, whatever its own time is. */
function changesOf(arrivals: Arrival[]) {
  const later = (one: string | null | undefined, other: string | null | undefined): string | null =>
    one && other ? (Date.parse(one) > Date.parse(other) ? one : other) : (one ?? other ?? null)
  interface TicketChange {
    isAnswered: boolean
    questions: number
    waitingSince: string | null
    repliesUntil: string | null
    updatedAt: string
    last: NewMessage
  }
  const changes = new Map<number, TicketChange>()
  for (const { row, effect, repliesUntil } of arrivals) {
    if (effect === 'aside') continue
    const before = changes.get(row.ticketId)
    const isQuestion = effect === 'question'
    const counted = effect === 'answer' ? null : before
    changes.set(row.ticketId, {
      isAnswered: effect === 'answer' || (before?.isAnswered ?? false),
      questions: (counted?.questions ?? 0) + (isQuestion ? 1 : 0),
      waitingSince: counted?.waitingSince ?? (isQuestion ? row.createdAt : null),
      repliesUntil: later(before?.repliesUntil, repliesUntil),
      updatedAt: later(before?.updatedAt, row.createdAt)!,
      last: row,
    })
  }
  return [...changes.values()]
}

/** An answer resets the unread count and the time since when the customer waits; questions after it count. */
const changeTickets = statement(
  written(
    () => tag`update ${tickets} t set version = t.version + 1,
    unread_messages = case when n.answered then 0 else t.unread_messages end + n.questions,
    waiting_since = coalesce(case when n.answered then null else t.waiting_since end, n.waiting_since),
    replies_until = greatest(t.replies_until, n.replies_until), updated_at = greatest(t.updated_at, n.updated_at),
    last_message_id = n.last_id, last_message = n.body, last_message_from_me = n.from_me, last_message_ack = n.ack,
    last_message_type = n.type
  from unnest(${given('ids')}::int[], ${given('answered')}::bool[], ${given('questions')}::int[],
    ${given('waitingSince')}::timestamptz[], ${given('repliesUntil')}::timestamptz[], ${given('updatedAt')}::timestamptz[],
    ${given('lastIds')}::uuid[], ${given('bodies')}::text[], ${given('fromMe')}::bool[], ${given('acks')}::int[],
    ${given('types')}::text[]) as n (id, answered, questions, waiting_since, replies_until, updated_at, last_id, body, from_me,
    ack, type)
  where t.company_id = ${given('companyId')} and t.id = n.id`,
  ),
  (changes: ReturnType<typeof changesOf>) => ({
    ids: changes.map(({ last }) => last.ticketId),
    answered: changes.map(({ isAnswered }) => isAnswered),
    questions: changes.map(({ questions }) => questions),
    waitingSince: changes.map(({ waitingSince }) => waitingSince),
    repliesUntil: changes.map(({ repliesUntil }) => repliesUntil),
    updatedAt: changes.map(({ updatedAt }) => updatedAt),
    lastIds: changes.map(({ last }) => last.id),
    bodies: changes.map(({ last }) => (last.isDeleted ? '' : lastWordsOf(last.body))),
    fromMe: changes.map(({ last }) => last.fromMe),
    acks: changes.map(({ last }) => last.ack),
    types: changes.map(({ last }) => (last.isDeleted ? 'deleted' : (last.mediaType ?? null))),
  }),
)

/** Changes a message, and the preview of its ticket where it is the last one. Answers both as they are then. */
export async function updateMessage(
  tx: Tx,
  { id, ticketId, version }: Pick<MessageRow, 'id' | 'ticketId' | 'version'>,
  fields: MessageFields,
): Promise<{ message: Message; ticket: Ticket }> {
  const [, , message, ticket] = await together(
    tx.sql,
    () =>
      tx.sql
        .update(messages)
        .set({ ...fields, version: version + 1 })
        .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, id))),
    () => updatePreview(tx, ticketId, id),
    () => loadMessage(tx, id),
    () => loadTicket(tx, ticketId),
  )
  return { message: message!, ticket: ticket! }
}

const updatePreview = (tx: Tx, ticketId: number, messageId: string) =>
  tx.sql
    .update(tickets)
    .set({
      lastMessage: lastBody,
      lastMessageType: lastType,
      lastMessageAck: lastAck,
      version: tag`${tickets.version} + 1`,
    })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.id, ticketId),
        eq(tickets.lastMessageId, messageId),
        tag`(${tickets.lastMessage}, coalesce(${tickets.lastMessageType}, ''), ${tickets.lastMessageAck})
          is distinct from (${lastBody}, coalesce(${lastType}, ''), ${lastAck})`,
      ),
    )

const ofLast = (field: SQL) =>
  tag`(select ${field} from messages m where m.company_id = "tickets"."company_id" and m.id = "tickets"."last_message_id")`
const lastBody = ofLast(tag`case when m.is_deleted then '' else left(m.body, ${LAST_WORDS}) end`)
const lastAck = ofLast(tag`m.ack`)
const lastType = ofLast(tag`case when m.is_deleted then 'deleted' else m.media_type end`)

/** Keeps messages as they are until the transaction ends. */
export const shareMessages = (tx: Tx, ids: string[]) =>
  tx.sql
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.companyId, tx.companyId), inArray(messages.id, ids)))
    .orderBy(messages.id)
    .for('share')
