import type { Media } from '@balcao/contract/media.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import type { MessageSource } from '@balcao/contract/tickets.ts'
import {
  type AnyPgColumn,
  bigint,
  boolean,
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
import { companyId, instantColumn } from '../../platform/columns.ts'
import { sql } from '../../platform/sql.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { tickets } from '../tickets/tickets.table.ts'

type Shown = Exclude<Typing, 'paused'>

export const messages = pgTable(
  'messages',
  {
    id: uuid('id').notNull(),
    companyId: companyId(),
    ticketId: integer('ticket_id').notNull(),
    contactId: integer('contact_id').notNull(),
    whatsappId: integer('whatsapp_id'),
    /** WhatsApp's id: chosen by us before sending, heard with what arrives. */
    externalId: text('external_id').notNull(),
    fromMe: boolean('from_me').notNull(),
    source: text('source').notNull().default('person').$type<MessageSource>(),
    /** The attendant who wrote it. No foreign key: what was said outlives who said it. */
    userId: integer('user_id'),
    body: text('body').notNull(),
    mediaType: text('media_type'),
    mediaUrl: text('media_url'),
    media: jsonb('media').$type<Media & { sha256?: string }>(),
    /** What the driver needs to fetch the file, encrypted; null once it is here, or when there is none. */
    mediaSource: text('media_source'),
    /** Not to be fetched before; null when nothing is to be fetched. */
    mediaDue: instantColumn('media_due'),
    mediaAttempts: integer('media_attempts').notNull().default(0),
    dataJson: text('data_json'),
    reactions: jsonb('reactions').$type<Reaction[]>().notNull().default([]),
    isForwarded: boolean('is_forwarded').notNull().default(false),
    editedAt: instantColumn('edited_at'),
    /** Who wrote in a group. */
    author: jsonb('author').$type<{ kind: 'phone' | 'lid'; value: string; name: string; number: string }>(),
    quotedId: uuid('quoted_id'),
    ack: integer('ack').notNull().default(1),
    failReason: text('fail_reason').notNull().default(''),
    isDeleted: boolean('is_deleted').notNull().default(false),
    read: boolean('read').notNull().default(false),
    /**
     * The outbox: null for what arrived; queued and sending wait for the connection's owner; unknown means that
     * the connection broke between sending and hearing of it, and the same id is sent again.
     */
    outbox: text('outbox').$type<'queued' | 'sending' | 'unknown' | 'done' | 'failed'>(),
    attempts: integer('attempts').notNull().default(0),
    /** It does not leave before; null once it began to leave. It takes its place in the conversation when it does. */
    dueAt: instantColumn('due_at'),
    /** What the customer is shown from `typingFrom` until it leaves. */
    typing: text('typing').$type<Shown>(),
    typingFrom: instantColumn('typing_from'),
    /**
     * The order of conversations and of the outbox: how messages were taken in. Even; an imported one stands at the odd
     * place behind the message that it follows in time, and there by its id.
     */
    position: bigint('position', { mode: 'number' }).generatedByDefaultAsIdentity({
      startWith: 2,
      increment: 2,
    }),
    version: bigint('version', { mode: 'number' }).notNull().default(1),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('messages_external').on(table.companyId, table.whatsappId, table.externalId, table.fromMe),
    index('messages_by_ticket').on(table.companyId, table.ticketId, table.position, table.id),
    index('messages_by_contact').on(table.companyId, table.contactId, table.position, table.id),
    // the files of a contact among all that was said
    index('messages_files')
      .on(table.companyId, table.contactId, table.position, table.id)
      .where(sql`${table.mediaUrl} is not null`),
    // what several messages may send the same bytes of: files of bots, flows and schedules
    index('messages_shared_files').on(table.companyId, table.mediaUrl).where(speaksByItself(table)),
    index('messages_media')
      .on(table.companyId, table.whatsappId, table.mediaDue)
      .where(sql`${table.mediaDue} is not null`),
    index('messages_outbox')
      .on(table.companyId, table.whatsappId, wakesAt(table), table.position)
      .where(sql`${table.outbox} in ('queued', 'sending', 'unknown')`),
    // a short pending list: every search reads it to the end
    index('messages_words')
      .using('gin', table.companyId, sql`to_tsvector('simple', ${table.body})`)
      .with({ gin_pending_list_limit: 512 }),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }),
  ],
)

/** It has a file that others may name too: what people write brings its own. */
export function speaksByItself({ mediaUrl, source }: { mediaUrl: AnyPgColumn; source: AnyPgColumn }) {
  return sql`${mediaUrl} is not null and ${source} not in ('contact', 'person', 'phone')`
}

/** When the outbox has to look at it. */
export function wakesAt({ typingFrom, dueAt }: { typingFrom: AnyPgColumn; dueAt: AnyPgColumn }) {
  return sql`coalesce(${typingFrom}, ${dueAt}, '-infinity')`
}

/**
 * Who reacted how, and when: `by` is `me` for the company, `contact` in a chat of two, else the group's member. One
 * that was taken off stays with an empty emoji, so that an older one that comes late is known as old.
 */
export interface Reaction {
  by: string
  emoji: string
  name: string
  at: string
}

/**
 * What is done to a message after it left or came: deleted for everyone, changed, reacted to. It goes out in the
 * order of its ids behind what waits in the outbox, and the row goes once the network answered.
 */
export const messageOperations = pgTable(
  'message_operations',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    messageId: uuid('message_id').notNull(),
    what: text('what').notNull().$type<'delete' | 'edit' | 'react'>(),
    /** The new text, or the emoji. */
    value: text('value').notNull().default(''),
    attempts: integer('attempts').notNull().default(0),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('message_operations_waiting').on(table.companyId, table.whatsappId, table.id),
    foreignKey({
      columns: [table.companyId, table.messageId],
      foreignColumns: [messages.companyId, messages.id],
    }).onDelete('cascade'),
  ],
)

/** The raw message log: everything a driver heard, written down before anything is made of it. */
export const inboundEvents = pgTable(
  'inbound_events',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** The same news twice has the same key. */
    key: text('key').notNull(),
    /** News of one chat is handled in order. */
    chat: text('chat').notNull(),
    heard: text('heard').notNull(),
    heardAt: instantColumn('heard_at').notNull().default(sql`now()`),
    handledAt: instantColumn('handled_at'),
    attempts: integer('attempts').notNull().default(0),
    failure: text('failure').notNull().default(''),
    ticketId: integer('ticket_id'),
    /** How long it took to make something of it. */
    spentMs: integer('spent_ms').notNull().default(0),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('inbound_events_key').on(table.companyId, table.whatsappId, table.key),
    index('inbound_events_waiting')
      .on(table.companyId, table.whatsappId, table.id)
      .where(sql`${table.handledAt} is null`),
    index('inbound_events_heard').on(table.companyId, table.heardAt),
  ],
)
