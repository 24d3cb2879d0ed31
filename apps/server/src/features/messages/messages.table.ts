import type { Media, Referral } from '@balcao/contract/media.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import type { MessageSource } from '@balcao/contract/tickets.ts'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
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
import type { Mentioned } from '../../driver.content.ts'
import type { ExternalId } from '../../platform/external.ts'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import type { LateIndex } from '../../platform/postgres/late-indexes.ts'
import { sql } from '../../platform/postgres/sql.ts'
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
    /** WhatsApp's id: chosen by us before sending, received with inbound messages. */
    externalId: text('external_id').notNull().$type<ExternalId>(),
    fromMe: boolean('from_me').notNull(),
    source: text('source').notNull().default('person').$type<MessageSource>(),
    /** The attendant who wrote it. No foreign key: messages outlive users. */
    userId: integer('user_id'),
    body: text('body').notNull(),
    mediaType: text('media_type'),
    mediaUrl: text('media_url'),
    media: jsonb('media').$type<Media & { sha256?: string }>(),
    /** What the driver needs to fetch the file, encrypted; null once it is fetched, or when there is none. */
    mediaSource: text('media_source'),
    /** Not to be fetched before; null when nothing is to be fetched. */
    mediaDue: instantColumn('media_due'),
    mediaAttempts: integer('media_attempts').notNull().default(0),
    dataJson: text('data_json'),
    /** The ad, post or product through which the customer came. */
    referral: jsonb('referral').$type<Referral>(),
    reactions: jsonb('reactions').$type<Reaction[]>().notNull().default([]),
    isForwarded: boolean('is_forwarded').notNull().default(false),
    /** A note of the company. `messages_private` keeps it here: nothing that sends can take it. */
    isPrivate: boolean('is_private').notNull().default(false),
    /** Of a note: the users and the queues that it mentions; null without any. No foreign keys: notes outlive both. */
    mentions: integer('mentions').array(),
    queueMentions: integer('queue_mentions').array(),
    editedAt: instantColumn('edited_at'),
    /** Who wrote in a group. */
    author: jsonb('author').$type<{ kind: 'phone' | 'lid'; value: string; name: string; number: string }>(),
    quotedId: uuid('quoted_id'),
    /** What it quotes as it came along, shortened; null where nothing came, or nothing is quoted. */
    quotedCopy: jsonb('quoted_copy').$type<{
      body: string
      mediaType: string | null
      fromMe: boolean
      author: string
      isStatus: boolean
    }>(),
    ack: integer('ack').notNull().default(1),
    failReason: text('fail_reason').notNull().default(''),
    isDeleted: boolean('is_deleted').notNull().default(false),
    read: boolean('read').notNull().default(false),
    /** It is in the outbox of its connection: until its outcome is recorded, which `ack` is. */
    waits: boolean('waits').notNull().default(false),
    /**
     * Of a message that waits, else without meaning: queued: no process began; sending: it may be at the network; unknown: the
     * outcome did not come, and the same id is sent again.
     */
    outbox: text('outbox').$type<'queued' | 'sending' | 'unknown'>(),
    attempts: integer('attempts').notNull().default(0),
    /** The attempts among them that failed by the message's or its recipient's fault. */
    tries: integer('tries').notNull().default(0),
    /** After a failed try: not tried again before; the next messages of its chat wait behind it. */
    retryAt: instantColumn('retry_at'),
    /** Not sent before; null once sending began. It gets its position in the conversation then. */
    dueAt: instantColumn('due_at'),
    /** An automatic message fails when it could not be sent until then. Null for what users write. */
    leavesUntil: instantColumn('leaves_until'),
    /** The presence that the customer is shown from `typingFrom` until the message is sent. */
    typing: text('typing').$type<Shown>(),
    typingFrom: instantColumn('typing_from'),
    /**
     * The order of conversations and of the outbox: the order of insertion. Even; an imported message has the odd position
     * after the message that it follows in time, and is ordered there by its id.
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
    // the files of a contact
    index('messages_files')
      .on(table.companyId, table.contactId, table.position, table.id)
      .where(sql`${table.mediaUrl} is not null`),
    // the messages that name a file: several may
    index('messages_by_file').on(table.companyId, table.mediaUrl).where(sql`${table.mediaUrl} is not null`),
    index('messages_media')
      .on(table.companyId, table.whatsappId, table.mediaDue)
      .where(sql`${table.mediaDue} is not null`),
    // by a flag and no state: what an index mentions is written anew in every index of the row when it changes
    index('messages_waiting')
      .on(table.companyId, table.whatsappId, wakesAt(table), table.position)
      .where(sql`${table.waits}`),
    // built beside the work (lateIndexes); a short pending list, since every search reads it whole
    index('messages_folded_words')
      .using('gin', table.companyId, sql`to_tsvector('simple', folded(${table.body}))`)
      .with({ gin_pending_list_limit: 512 }),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.contactId],
      foreignColumns: [contacts.companyId, contacts.id],
    }),
    // a note has no connection, waits for nothing, and has no place at a network
    check(
      'messages_private',
      sql`not ${table.isPrivate} or (${table.whatsappId} is null and not ${table.waits} and ${table.outbox} is null
        and ${table.fromMe} and ${table.source} = 'person' and ${table.ack} = 2 and not ${table.isForwarded}
        and ${table.dueAt} is null and ${table.retryAt} is null and ${table.leavesUntil} is null and ${table.typing} is null
        and ${table.mediaSource} is null and ${table.mediaDue} is null)`,
    ),
  ],
)

/** A migration builds it where there are few messages. */
export const lateIndexes: LateIndex[] = [
  {
    kind: 'lateIndex',
    table: 'messages',
    name: 'messages_folded_words',
    definition:
      "using gin (company_id, to_tsvector('simple', folded(body))) with (gin_pending_list_limit = 512)",
    replaces: 'messages_words',
  },
  {
    kind: 'lateIndex',
    table: 'messages',
    name: 'messages_waiting',
    definition: `(company_id, whatsapp_id, coalesce(typing_from, due_at, '-infinity'), position) where waits`,
    replaces: 'messages_outbox',
  },
]

/** The message has a file that other messages may share: files of customers and users are their own. */
export function isAutomatic({ mediaUrl, source }: { mediaUrl: AnyPgColumn; source: AnyPgColumn }) {
  return sql`${mediaUrl} is not null and ${source} not in ('contact', 'person', 'phone')`
}

/** Waits to be sent. By either index: `messages_outbox` is used until `messages_waiting` was built in its place. */
export const isInOutbox = sql`${messages.waits} and ${messages.outbox} in ('queued', 'sending', 'unknown')`

/** When the outbox has to look at the message. */
export function wakesAt({ typingFrom, dueAt }: { typingFrom: AnyPgColumn; dueAt: AnyPgColumn }) {
  return sql`coalesce(${typingFrom}, ${dueAt}, '-infinity')`
}

/**
 * `by` is `me` for the company, `contact` in a chat of two, else the group's member. A removed reaction stays with an empty
 * emoji, so that an older one that arrives later is recognized as old.
 */
export interface Reaction {
  by: string
  emoji: string
  name: string
  at: string
}

/**
 * Operations on a message that was sent or received: delete for everyone, edit, react, pin. Carried out in the order of their ids,
 * after what waits in the outbox; the row is deleted once the network answered.
 */
export const messageOperations = pgTable(
  'message_operations',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    whatsappId: integer('whatsapp_id').notNull(),
    messageId: uuid('message_id').notNull(),
    what: text('what').notNull().$type<'delete' | 'edit' | 'react' | 'pin'>(),
    /** The new text, the emoji, or for how many seconds it is pinned (0: not any more). */
    value: text('value').notNull().default(''),
    /** Of an edit: the members of the group whose names stand in the new text; null without any. */
    mentions: jsonb('mentions').$type<Mentioned[]>(),
    /** The user who requested it. No foreign key: operations outlive users. */
    userId: integer('user_id'),
    attempts: integer('attempts').notNull().default(0),
    /** The attempts among them that failed by the operation's fault. */
    tries: integer('tries').notNull().default(0),
    /** Not tried before. */
    dueAt: instantColumn('due_at').notNull().default(sql`now()`),
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

/** Messages that are pinned for everyone in their chat. */
export const messagePins = pgTable(
  'message_pins',
  {
    companyId: companyId(),
    messageId: uuid('message_id').notNull(),
    pinnedAt: instantColumn('pinned_at').notNull(),
    until: instantColumn('until').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.messageId] }),
    index('message_pins_until').on(table.companyId, table.until),
    foreignKey({
      columns: [table.companyId, table.messageId],
      foreignColumns: [messages.companyId, messages.id],
    }).onDelete('cascade'),
  ],
)

/**
 * Previous versions of a message: one row for each change of its text, and one for its deletion where the company keeps what
 * was deleted.
 */
export const messageVersions = pgTable(
  'message_versions',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    messageId: uuid('message_id').notNull(),
    what: text('what').notNull().$type<'edit' | 'delete'>(),
    body: text('body').notNull(),
    mediaUrl: text('media_url'),
    media: jsonb('media').$type<Media & { sha256?: string }>(),
    /** Of what kind the deleted message was; null: a text, or an edit. */
    mediaType: text('media_type'),
    /** The user who changed it; null: its author, on a phone. No foreign key: versions outlive users. */
    userId: integer('user_id'),
    at: instantColumn('at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('message_versions_message').on(table.companyId, table.messageId, table.id),
    index('message_versions_media')
      .on(table.companyId, table.mediaUrl)
      .where(sql`${table.mediaUrl} is not null`),
    foreignKey({
      columns: [table.companyId, table.messageId],
      foreignColumns: [messages.companyId, messages.id],
    }).onDelete('cascade'),
  ],
)
