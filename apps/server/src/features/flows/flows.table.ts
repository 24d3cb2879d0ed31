import type { FlowAction, FlowType } from '@balcao/contract/flows.ts'
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { tickets } from '../tickets/tickets.table.ts'

export const flows = pgTable(
  'flows',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type').notNull().$type<FlowType>(),
    /** In their order: a flow is read and written whole. */
    flowActions: jsonb('flow_actions').notNull().$type<StoredAction[]>(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    updatedAt: instantColumn('updated_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('flows_by_name').on(table.companyId, sql`folded(${table.name})`),
  ],
)

/** Its file, of which many messages may send the same bytes, is identified by `sha256`. */
export interface StoredAction extends Omit<FlowAction, 'media' | 'order'> {
  sha256?: string
}

/** A flow that is played on a ticket, or was. What it says stands in `messages`, whose ids follow from its cause. */
export const flowRuns = pgTable(
  'flow_runs',
  {
    id: serialId(),
    companyId: companyId(),
    ticketId: integer('ticket_id').notNull(),
    /** No foreign key: it is played to its end though it was deleted. */
    flowId: integer('flow_id').notNull(),
    name: text('name').notNull(),
    /** Who began it; null: a bot. */
    userId: integer('user_id'),
    userName: text('user_name').notNull().default(''),
    /** What began it: the same twice plays it once. */
    cause: text('cause').notNull(),
    startedAt: instantColumn('started_at').notNull(),
    endsAt: instantColumn('ends_at').notNull(),
    /** Null while it is played. */
    endedAt: instantColumn('ended_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('flow_runs_cause').on(table.companyId, table.cause),
    index('flow_runs_age').using('brin', table.endedAt),
    index('flow_runs_by_ticket').on(table.companyId, table.ticketId),
    index('flow_runs_due').on(table.endsAt).where(sql`${table.endedAt} is null`),
    foreignKey({
      columns: [table.companyId, table.ticketId],
      foreignColumns: [tickets.companyId, tickets.id],
    }).onDelete('cascade'),
  ],
)
