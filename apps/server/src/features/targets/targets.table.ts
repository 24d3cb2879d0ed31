import type { TargetKind } from '@balcao/contract/targets.ts'
import { bigint, boolean, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { queues } from '../queues/queues.table.ts'
import { tickets } from '../tickets/tickets.table.ts'

/** What a queue promises, in minutes; null: nothing. */
export const queueTargets = pgTable(
  'queue_targets',
  {
    companyId: companyId(),
    queueId: integer('queue_id').notNull(),
    firstReplyMinutes: integer('first_reply_minutes'),
    replyMinutes: integer('reply_minutes'),
    resolutionMinutes: integer('resolution_minutes'),
    withinHours: boolean('within_hours').notNull().default(true),
    moveToQueueId: integer('move_to_queue_id'),
    /** Rises with the targets and with the hours that they are counted in: clocks of an older one are set anew. */
    revision: integer('revision').notNull().default(1),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.queueId] }),
    foreignKey({
      columns: [table.companyId, table.queueId],
      foreignColumns: [queues.companyId, queues.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.companyId, table.moveToQueueId],
      foreignColumns: [queues.companyId, queues.id],
    }),
  ],
)

/** One row for each target that was kept or missed, written by the trigger that ends its clock, in the same commit. */
export const targetOutcomes = pgTable(
  'target_outcomes',
  {
    companyId: companyId(),
    id: bigint('id', { mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    ticketId: integer('ticket_id').notNull(),
    kind: text('kind').notNull().$type<TargetKind>(),
    /** 0 for none. */
    queueId: integer('queue_id').notNull(),
    /** Who answered or closed, or had the ticket when it became late; 0 for none. */
    userId: integer('user_id').notNull(),
    dueAt: instantColumn('due_at'),
    at: instantColumn('at').notNull().default(sql`now()`),
    kept: boolean('kept').notNull(),
    /** Of a missed one: admins were notified of it, and the ticket moved. */
    announced: boolean('announced').notNull().default(false),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('target_outcomes_at').on(table.companyId, table.at),
    index('target_outcomes_ticket').on(table.companyId, table.ticketId),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)
