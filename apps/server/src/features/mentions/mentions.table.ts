import {
  bigint,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { messages } from '../messages/messages.table.ts'
import { users } from '../users/users.table.ts'

/** Users whom notes mention, by themselves or by a queue. The ticket is that of the note, which may move. */
export const mentions = pgTable(
  'mentions',
  {
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    companyId: companyId(),
    messageId: uuid('message_id').notNull(),
    userId: integer('user_id').notNull(),
    readAt: instantColumn('read_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('mentions_message').on(table.companyId, table.messageId, table.userId),
    index('mentions_user').on(table.companyId, table.userId, table.id),
    index('mentions_unread').on(table.companyId, table.userId, table.id).where(sql`${table.readAt} is null`),
    foreignKey({
      columns: [table.companyId, table.messageId],
      foreignColumns: [messages.companyId, messages.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
  ],
)
