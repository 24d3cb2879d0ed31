import { bigint, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { users } from '../users/users.table.ts'

/** What users have begun to write. One that was sent stays for a while, empty: a save that comes late is known as old. */
export const drafts = pgTable(
  'drafts',
  {
    companyId: companyId(),
    userId: integer('user_id').notNull(),
    ticketId: integer('ticket_id').notNull(),
    body: text('body').notNull(),
    /** No foreign key: a message that is gone is not quoted. */
    quotedId: uuid('quoted_id'),
    /** Chosen by the screen that changed it. */
    at: bigint('at', { mode: 'number' }).notNull(),
    savedAt: instantColumn('saved_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.userId, table.ticketId] }),
    index('drafts_ticket').on(table.companyId, table.ticketId),
    index('drafts_age').using('brin', table.savedAt),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)
