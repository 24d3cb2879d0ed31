import type { Holiday, OpenHours } from '@balcao/contract/businessHours.ts'
import { jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyId, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

export const queues = pgTable(
  'queues',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    color: text('color').notNull(),
    greetingMessage: text('greeting_message').notNull().default(''),
    outOfHoursMessage: text('out_of_hours_message').notNull().default(''),
    /** Its own; null: those of the connection, else of the company. */
    hours: jsonb('hours').$type<OpenHours[]>(),
    holidays: jsonb('holidays').$type<Holiday[]>(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('queues_name').on(table.companyId, sql`lower(${table.name})`),
    uniqueIndex('queues_color').on(table.companyId, sql`lower(${table.color})`),
  ],
)
