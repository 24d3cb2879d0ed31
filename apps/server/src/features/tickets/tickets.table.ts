import type { TicketTargets } from '@balcao/contract/targets.ts'
import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import type { TicketStatus } from '@balcao/contract/tickets.ts'
import {
  bigint,
  boolean,
  check,
  type ExtraConfigColumn,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigSerial, companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { contactMerges } from '../contactMerges/contactMerges.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import { tags } from '../tags/tags.table.ts'
import { users } from '../users/users.table.ts'

export const tickets = pgTable(
  'tickets',
  {
    id: serialId(),
    companyId: companyId(),
    uuid: uuid('uuid').notNull(),
    status: text('status').notNull().$type<TicketStatus>(),
    protocol: text('protocol').notNull(),
    source: integer('source').notNull().default(0),
    channel: text('channel').notNull().default('whatsapp'),
    isGroup: boolean('is_group').notNull().default(false),
    contactId: integer('contact_id').notNull(),
    userId: integer('user_id'),
    queueId: integer('queue_id'),
    whatsappId: integer('whatsapp_id'),
    /** A second ticket on a connection; the contact's messages go to the other one. */
    parallel: boolean('parallel').notNull().default(false),
    unreadMessages: integer('unread_messages').notNull().default(0),
    /** Kept by a trigger of messages, in the transaction in which one fails or leaves again. */
    failedMessages: integer('failed_messages').notNull().default(0),
    lastMessage: text('last_message').notNull().default(''),
    lastMessageId: uuid('last_message_id'),
    lastMessageFromMe: boolean('last_message_from_me').notNull().default(false),
    lastMessageAck: integer('last_message_ack').notNull().default(0),
    lastMessageType: text('last_message_type'),
    waitingSince: instantColumn('waiting_since'),
    /** A bot leads it. */
    withBot: boolean('with_bot').notNull().default(false),
    /** When the customer was last sent the message for the time outside the hours. */
    outOfHoursAt: instantColumn('out_of_hours_at'),
    repliesUntil: instantColumn('replies_until'),
    /** Until when it is in no list; null: it is in all of its lists. Never set on a closed one. */
    snoozedUntil: instantColumn('snoozed_until'),
    /** The clocks of its queue's targets, kept by a trigger (decision 123); null where none ever ran. */
    targets: jsonb('targets').$type<TicketTargets>(),
    /** When the next of them is due, also of those that are late; null where none runs. */
    targetDueAt: instantColumn('target_due_at'),
    /** When one becomes late, or the hours begin or end: the ticket is looked at then. */
    targetTurnAt: instantColumn('target_turn_at'),
    /** Set where an import of old messages made the ticket. */
    importedAt: instantColumn('imported_at'),
    /** Rises with every change, so that screens drop an older push. */
    version: bigint('version', { mode: 'number' }).notNull().default(1),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
    closedAt: instantColumn('closed_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('tickets_uuid').on(table.companyId, table.uuid),
    uniqueIndex('tickets_protocol').on(table.companyId, table.protocol),
    uniqueIndex('tickets_one_living')
      .on(table.companyId, table.contactId, table.whatsappId)
      .where(sql`${table.status} <> 'closed' and not ${table.parallel}`),
    index('tickets_by_activity').on(table.companyId, table.updatedAt, table.id),
    byActivity(table, 'tickets_by_status'),
    index('tickets_by_user').on(table.companyId, table.userId, table.status, table.updatedAt, table.id),
    // lists by the longest wait; closed tickets have none
    index('tickets_by_waiting')
      .on(
        table.companyId,
        table.status,
        sql`coalesce(${table.waitingSince}, 'infinity'::timestamptz)`,
        table.updatedAt,
        table.id,
      )
      .where(sql`${table.status} <> 'closed'`),
    // few of many: the lists that are narrowed to them
    byActivity(table, 'tickets_failed').where(sql`${table.failedMessages} > 0`),
    byActivity(table, 'tickets_with_bot').where(sql`${table.withBot}`),
    byActivity(table, 'tickets_snoozed').where(sql`${table.snoozedUntil} is not null`),
    index('tickets_waking').on(table.snoozedUntil).where(sql`${table.snoozedUntil} is not null`),
    index('tickets_by_target')
      .on(table.companyId, table.targetDueAt, table.id)
      .where(sql`${table.targetDueAt} is not null`),
    index('tickets_target_turn').on(table.targetTurnAt).where(sql`${table.targetTurnAt} is not null`),
    index('tickets_by_contact').on(table.companyId, table.contactId, table.updatedAt),
    index('tickets_by_whatsapp').on(table.companyId, table.whatsappId),
    index('tickets_by_creation').on(table.companyId, table.createdAt),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }),
    foreignKey({ columns: [table.companyId, table.userId], foreignColumns: [users.companyId, users.id] }),
    foreignKey({ columns: [table.companyId, table.queueId], foreignColumns: [queues.companyId, queues.id] }),
    foreignKey({
      columns: [table.companyId, table.whatsappId],
      foreignColumns: [whatsapps.companyId, whatsapps.id],
    }),
    check('tickets_status', sql`${table.status} in ('pending', 'open', 'closed')`),
    check('tickets_snoozed_living', sql`${table.snoozedUntil} is null or ${table.status} <> 'closed'`),
  ],
)

/** The order of the lists of one status. */
const byActivity = (
  table: Record<'companyId' | 'status' | 'updatedAt' | 'id', ExtraConfigColumn>,
  name: string,
) => index(name).on(table.companyId, table.status, table.updatedAt, table.id)

export const ticketHistory = pgTable(
  'ticket_history',
  {
    id: bigSerial('id'),
    companyId: companyId(),
    ticketId: integer('ticket_id').notNull(),
    what: text('what').notNull().$type<TicketEvent['what']>(),
    byUserId: integer('by_user_id'),
    fromStatus: text('from_status').$type<TicketStatus>(),
    toStatus: text('to_status').notNull().$type<TicketStatus>(),
    fromUserId: integer('from_user_id'),
    toUserId: integer('to_user_id'),
    fromQueueId: integer('from_queue_id'),
    toQueueId: integer('to_queue_id'),
    /** Why it was closed; a reason stays when it is deleted. */
    reasonId: integer('reason_id'),
    note: text('note').notNull().default(''),
    at: instantColumn('at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('ticket_history_ticket').on(table.companyId, table.ticketId, table.at),
    index('ticket_history_at').on(table.companyId, table.at),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)

/** What a user put on a ticket: pinned to the top of the own lists, followed. */
export const ticketMarks = pgTable(
  'ticket_marks',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    ticketId: integer('ticket_id').notNull(),
    pinnedAt: instantColumn('pinned_at'),
    followedAt: instantColumn('followed_at'),
    /** When the customer wrote first in a followed ticket since its follower saw it. */
    newsAt: instantColumn('news_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId, table.ticketId] }),
    index('ticket_marks_ticket').on(table.companyId, table.ticketId),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
    check('ticket_marks_any', sql`num_nonnulls(${table.pinnedAt}, ${table.followedAt}) > 0`),
  ],
)

/** A status of `ticket_counts`: what is snoozed is counted apart. */
export type CountedStatus = TicketStatus | 'openSnoozed' | 'pendingSnoozed'

/**
 * Number of tickets by status, queue and user, kept by a trigger. Concurrent transactions update different rows (`part`)
 * without waiting for each other; the number is the sum of the parts (decision 012).
 */
export const ticketCounts = pgTable(
  'ticket_counts',
  {
    companyId: companyId(),
    status: text('status').notNull().$type<CountedStatus>(),
    /** 0 for tickets without a queue, or a user. */
    queueId: integer('queue_id').notNull(),
    userId: integer('user_id').notNull(),
    part: integer('part').notNull().generatedByDefaultAsIdentity(),
    tickets: integer('tickets').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.status, table.queueId, table.userId, table.part] }),
  ],
)

export const ticketTags = pgTable(
  'ticket_tags',
  {
    companyId: companyId(),
    ticketId: integer('ticket_id').notNull(),
    tagId: integer('tag_id').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.ticketId, table.tagId] }),
    index('ticket_tags_tag').on(table.companyId, table.tagId),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.tagId],
      foreignColumns: [tags.companyId, tags.id],
    }).onDelete('cascade'),
  ],
)

/** State of a ticket before or after it was joined with another. */
export interface MergedState {
  status: TicketStatus
  unreadMessages: number
  waitingSince: string | null
  closedAt: string | null
}

/** Changes to tickets by a merge of contacts, until it can no longer be undone; `before` and `after` where two were joined. */
export const mergedTickets = pgTable(
  'merged_tickets',
  {
    companyId: companyId(),
    mergeId: integer('merge_id').notNull(),
    ticketId: integer('ticket_id').notNull(),
    moved: boolean('moved').notNull(),
    before: jsonb('before').$type<MergedState>(),
    after: jsonb('after').$type<MergedState>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.mergeId, table.ticketId] }),
    index('merged_tickets_ticket').on(table.companyId, table.ticketId),
    foreignKey({
      columns: [table.companyId, table.mergeId],
      foreignColumns: [contactMerges.companyId, contactMerges.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)
