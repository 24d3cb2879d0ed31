import type { TicketSort } from '@balcao/contract/tickets.ts'
import type { ViewFilters } from '@balcao/contract/views.ts'
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { users } from '../users/users.table.ts'

/** Lists of tickets that users keep by name. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** Who made it; null: a shared one whose maker was deleted. */
    userId: integer('user_id'),
    shared: boolean('shared').notNull().default(false),
    name: text('name').notNull(),
    /** Ids of queues, tags and others in it may be gone: they match nothing. */
    filters: jsonb('filters').notNull().$type<ViewFilters>(),
    sort: text('sort').$type<TicketSort>(),
    position: integer('position').notNull().default(0),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('saved_views_user').on(table.companyId, table.userId),
    index('saved_views_shared').on(table.companyId).where(sql`${table.shared}`),
    foreignKey({
      columns: [table.companyId, table.userId],
      foreignColumns: [users.companyId, users.id],
    }),
  ],
)
