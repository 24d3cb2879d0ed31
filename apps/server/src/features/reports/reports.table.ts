import { bigint, foreignKey, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/columns.ts'
import { tickets } from '../tickets/tickets.table.ts'

/**
 * One row for each time a ticket was closed, written by a trigger on the line of history that says so, in its commit.
 * Reports add up these and never read the history: what a past month says stays, also when a ticket is opened again.
 */
export const ticketServices = pgTable(
  'ticket_services',
  {
    companyId: companyId(),
    /** The line of the history that closed it. */
    historyId: bigint('history_id', { mode: 'number' }).notNull(),
    closedAt: instantColumn('closed_at').notNull(),
    ticketId: integer('ticket_id').notNull(),
    /** In whose hands, in which queue and on which connection it was closed; 0 where there was none. */
    userId: integer('user_id').notNull(),
    queueId: integer('queue_id').notNull(),
    whatsappId: integer('whatsapp_id').notNull(),
    /** From the creation, or from being opened again, to the first acceptance; null when it never waited or nobody accepted. */
    waitSeconds: integer('wait_seconds'),
    /** From the first acceptance to the closing; null when nobody accepted it. */
    serveSeconds: integer('serve_seconds'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.historyId] }),
    index('ticket_services_closed').on(table.companyId, table.closedAt),
    index('ticket_services_ticket').on(table.companyId, table.ticketId),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)
