import type { Message } from '@balcao/contract/messages.ts'
import { LAST_WORDS, lastWordsOf } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { given, inserting, preparedFor } from '../../platform/db.prepared.ts'
import { together } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, type SQL, sql as tag } from '../../platform/sql.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { messageChanged } from './messages.events.ts'
import { loadMessage, type MessageRow } from './messages.queries.ts'
import { messages } from './messages.table.ts'

type NewMessage = typeof messages.$inferInsert & { createdAt: string; ack: number }

/**
 * What a message is to its ticket: the company answered, the customer asks and waits, or it stands aside: said by the
 * house itself, or known only by what was done to it.
 */
type Part = 'answer' | 'question' | 'aside'

/**
 * Writes a message, and in the same commit the ticket's row of the list follows it. Answers both as they stand. The
 * caller holds the ticket's lock, unless the message stands aside. `repliesUntil`: so long the company may answer freely.
 */
export async function insertMessage(
  tx: Tx,
  row: NewMessage,
  part: Part,
  repliesUntil?: string,
): Promise<{ message: Message; ticket: Ticket }> {
  const insert = () => insertRow(tx.sql, row)
  const loadBoth = [() => loadMessage(tx, row.id), () => loadTicket(tx, row.ticketId)] as const
  if (part === 'aside') {
    const [, message, ticket] = await together(tx.sql, insert, ...loadBoth)
    return { message: message!, ticket: ticket! }
  }
  const [, , message, ticket] = await together(
    tx.sql,
    insert,
    () => follow(tx, row, part, repliesUntil),
    ...loadBoth,
  )
  return { message: message!, ticket: ticket! }
}

const insertRow = inserting(messages)

/** What the message does to its ticket. */
const follow = (tx: Tx, message: NewMessage, part: FollowedPart, repliesUntil?: string) =>
  followed(
    tx.sql,
    { part, opensWindow: repliesUntil !== undefined },
    {
      companyId: tx.companyId,
      ticketId: message.ticketId,
      createdAt: message.createdAt,
      repliesUntil,
      body: message.isDeleted ? '' : lastWordsOf(message.body),
      id: message.id,
      fromMe: message.fromMe,
      ack: message.ack,
      type: message.isDeleted ? 'deleted' : (message.mediaType ?? null),
    },
  )

type FollowedPart = Exclude<Part, 'aside'>

/** The list's row shows what was taken in last, whatever its own clock says. */
const followed = preparedFor((sql, { part, opensWindow }: { part: FollowedPart; opensWindow: boolean }) => {
  const shown = (column: PgColumn, name: string) => tag`${tag.param(given(name), column)}`
  return sql
    .update(tickets)
    .set({
      ...standing[part],
      ...(opensWindow && {
        repliesUntil: tag`greatest(${tickets.repliesUntil}, ${given('repliesUntil')}::timestamptz)`,
      }),
      updatedAt: tag`greatest(${tickets.updatedAt}, ${given('createdAt')}::timestamptz)`,
      lastMessage: shown(tickets.lastMessage, 'body'),
      lastMessageId: shown(tickets.lastMessageId, 'id'),
      lastMessageFromMe: shown(tickets.lastMessageFromMe, 'fromMe'),
      lastMessageAck: shown(tickets.lastMessageAck, 'ack'),
      lastMessageType: shown(tickets.lastMessageType, 'type'),
      version: tag`${tickets.version} + 1`,
    })
    .where(and(eq(tickets.companyId, given('companyId')), eq(tickets.id, given('ticketId'))))
})

const standing = {
  answer: { unreadMessages: 0, waitingSince: null },
  question: {
    unreadMessages: tag`${tickets.unreadMessages} + 1`,
    waitingSince: tag`coalesce(${tickets.waitingSince}, ${given('createdAt')}::timestamptz)`,
  },
}

/** Changes a message that stands, and the list's row where it is the last; announces both. */
export async function saveMessage(
  tx: Tx,
  { id, ticketId, version }: Pick<MessageRow, 'id' | 'ticketId' | 'version'>,
  fields: Partial<typeof messages.$inferInsert>,
): Promise<Message> {
  const [, , message, ticket] = await together(
    tx.sql,
    () =>
      tx.sql
        .update(messages)
        .set({ ...fields, version: version + 1 })
        .where(and(eq(messages.companyId, tx.companyId), eq(messages.id, id))),
    () => previews(tx, ticketId, id),
    () => loadMessage(tx, id),
    () => loadTicket(tx, ticketId),
  )
  tx.emit(messageChanged, { message: message!, ticket: ticket! })
  return message!
}

/** The list's row says what the last message says now. */
const previews = (tx: Tx, ticketId: number, messageId: string) =>
  tx.sql
    .update(tickets)
    .set({
      lastMessage: shownBody,
      lastMessageType: shownType,
      lastMessageAck: shownAck,
      version: tag`${tickets.version} + 1`,
    })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.id, ticketId),
        eq(tickets.lastMessageId, messageId),
        tag`(${tickets.lastMessage}, coalesce(${tickets.lastMessageType}, ''), ${tickets.lastMessageAck})
          is distinct from (${shownBody}, coalesce(${shownType}, ''), ${shownAck})`,
      ),
    )

const ofLast = (field: SQL) =>
  tag`(select ${field} from messages m where m.company_id = "tickets"."company_id" and m.id = "tickets"."last_message_id")`
const shownBody = ofLast(tag`case when m.is_deleted then '' else left(m.body, ${LAST_WORDS}) end`)
const shownAck = ofLast(tag`m.ack`)
const shownType = ofLast(tag`case when m.is_deleted then 'deleted' else m.media_type end`)
