import { check, date, foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'

export const businessWeeks = pgTable(
  'business_weeks',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** The server's zone, for a company without one: triggers cannot read the configuration. */
    usualZone: text('usual_zone').notNull(),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)

/** Opening hours in minutes of the company's local day. Past midnight there are two rows. */
export const businessHours = pgTable(
  'business_hours',
  {
    companyId: companyId(),
    /** 0 is Sunday. */
    weekday: integer('weekday').notNull(),
    opens: integer('opens').notNull(),
    closes: integer('closes').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.weekday, table.opens] }),
    foreignKey({ columns: [table.companyId], foreignColumns: [businessWeeks.companyId] }).onDelete('cascade'),
    check('business_hours_weekday', sql`${table.weekday} between 0 and 6`),
    check(
      'business_hours_order',
      sql`0 <= ${table.opens} and ${table.opens} < ${table.closes} and ${table.closes} <= 1440`,
    ),
  ],
)

export const businessHolidays = pgTable(
  'business_holidays',
  {
    companyId: companyId(),
    day: date('day', { mode: 'string' }).notNull(),
    name: text('name').notNull().default(''),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.day] }),
    foreignKey({ columns: [table.companyId], foreignColumns: [businessWeeks.companyId] }).onDelete('cascade'),
  ],
)
