import { foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { tickets } from '../tickets/tickets.table.ts'

/** Which ads, posts and products brought a ticket: a row for each, from its first message. Goes with the ticket. */
export const ticketReferrals = pgTable(
  'ticket_referrals',
  {
    companyId: companyId(),
    ticketId: integer('ticket_id').notNull(),
    /** What identifies the source within the company: `referralKey`. */
    key: text('key').notNull(),
    type: text('type').notNull(),
    sourceId: text('source_id').notNull(),
    sourceUrl: text('source_url').notNull(),
    headline: text('headline').notNull(),
    at: instantColumn('at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.ticketId, table.key] }),
    index('ticket_referrals_by_time').on(table.companyId, table.at),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)
