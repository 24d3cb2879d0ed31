import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { queues } from '../queues/queues.table.ts'

export const closingReasons = pgTable(
  'closing_reasons',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Empty for the tickets of all queues. */
    queueIds: integer('queue_ids').array().notNull().default([]),
    spam: boolean('spam').notNull().default(false),
    active: boolean('active').notNull().default(true),
    /** The history of tickets keeps the name of a deleted one. */
    deletedAt: instantColumn('deleted_at'),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('closing_reasons_name')
      .on(table.companyId, sql`folded(${table.name})`)
      .where(sql`${table.deletedAt} is null`),
    index('closing_reasons_by_name').on(table.companyId, sql`folded(${table.name})`),
  ],
)

/** How the tickets of a queue are closed; without a row no reason is asked for, and the connection parts. */
export const queueClosings = pgTable(
  'queue_closings',
  {
    companyId: companyId(),
    queueId: integer('queue_id').notNull(),
    reasonRequired: boolean('reason_required').notNull(),
    farewell: text('farewell').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.queueId] }),
    foreignKey({
      columns: [table.companyId, table.queueId],
      foreignColumns: [queues.companyId, queues.id],
    }).onDelete('cascade'),
  ],
)
