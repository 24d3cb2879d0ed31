import type { ChatMedia } from '@balcao/contract/chat.ts'
import {
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
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'

/** Where colleagues talk: two of them, or a group. */
export const chatRooms = pgTable(
  'chat_rooms',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    isGroup: boolean('is_group').notNull(),
    /** Of a group; of two people the name of the one who was deleted. Empty for none. */
    name: text('name').notNull().default(''),
    ownerId: integer('owner_id'),
    /** The two people, so that their room is there once. No foreign key: it outlives one of them. */
    lowId: integer('low_id'),
    highId: integer('high_id'),
    /** The position of the newest message; the row is locked while one is added. */
    lastPosition: integer('last_position').notNull().default(0),
    /** When it was last written in. */
    at: instantColumn('at').notNull().default(sql`now()`),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('chat_rooms_pair')
      .on(table.companyId, table.lowId, table.highId)
      .where(sql`not ${table.isGroup}`),
    index('chat_rooms_owner').on(table.companyId, table.ownerId),
    foreignKey({ columns: [table.companyId, table.ownerId], foreignColumns: [users.companyId, users.id] }),
    check('chat_rooms_of_two', sql`${table.isGroup} = (${table.lowId} is null)`),
  ],
)

export const chatMembers = pgTable(
  'chat_members',
  {
    companyId: companyId(),
    roomId: integer('room_id').notNull(),
    userId: integer('user_id').notNull(),
    /** What is behind it is unread. */
    readPosition: integer('read_position').notNull().default(0),
    joinedAt: instantColumn('joined_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.roomId, table.userId] }),
    index('chat_members_user').on(table.companyId, table.userId, table.roomId),
    foreignKey({
      columns: [table.companyId, table.roomId],
      foreignColumns: [chatRooms.companyId, chatRooms.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)

export const chatMessages = pgTable(
  'chat_messages',
  {
    id: uuid('id').notNull(),
    companyId: companyId(),
    roomId: integer('room_id').notNull(),
    /** From 1, without gaps. */
    position: integer('position').notNull(),
    /** No foreign key: a message stays with the name of its author. */
    userId: integer('user_id').notNull(),
    userName: text('user_name').notNull(),
    body: text('body').notNull(),
    medias: jsonb('medias').notNull().default([]).$type<ChatMedia[]>(),
    /** No foreign key: what is written about a ticket stays. */
    ticketId: integer('ticket_id'),
    isDeleted: boolean('is_deleted').notNull().default(false),
    editedAt: instantColumn('edited_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('chat_messages_position').on(table.companyId, table.roomId, table.position),
    index('chat_messages_files')
      .using('gin', sql`${table.medias} jsonb_path_ops`)
      .where(sql`${table.medias} <> '[]'`),
    index('chat_messages_words').using('gin', table.companyId, sql`folded(${table.body}) gin_trgm_ops`),
    foreignKey({
      columns: [table.companyId, table.roomId],
      foreignColumns: [chatRooms.companyId, chatRooms.id],
    }).onDelete('cascade'),
  ],
)
