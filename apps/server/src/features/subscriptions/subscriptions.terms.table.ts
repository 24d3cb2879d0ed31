import {
  boolean,
  check,
  date,
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

const day = (name: string) => date(name, { mode: 'string' })

/** Codes with which who signs up by the store gets a discount. Of the platform. */
export const coupons = pgTable(
  'coupons',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    /** In capital letters. */
    code: text('code').notNull(),
    /** Of the price, or cents: one of both. */
    percent: integer('percent'),
    value: integer('value'),
    /** So many periods cost less. */
    periods: integer('periods').notNull(),
    /** So many companies may use it; null: any number. */
    mostUses: integer('most_uses'),
    /** The last day on which it is taken; null: until it is closed. */
    endsOn: day('ends_on'),
    isOpen: boolean('is_open').notNull().default(true),
    /** Companies that signed up with it, also those that are deleted. */
    uses: integer('uses').notNull().default(0),
    recordedBy: text('recorded_by').notNull().default(''),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    uniqueIndex('coupons_code').on(table.code),
    check('coupons_what', sql`num_nonnulls(${table.percent}, ${table.value}) = 1`),
  ],
)

/** What a company pays less, for so many of its next periods. */
export const discounts = pgTable(
  'discounts',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    percent: integer('percent'),
    value: integer('value'),
    periods: integer('periods').notNull(),
    reason: text('reason').notNull().default(''),
    /** Null where a master gave it. */
    couponId: integer('coupon_id').references(() => coupons.id),
    /** As it was then: the table of coupons is of the platform. */
    couponCode: text('coupon_code').notNull().default(''),
    recordedBy: text('recorded_by').notNull().default(''),
    /** When a master ended it before its periods were used up. */
    endedAt: instantColumn('ended_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('discounts_of_coupon').on(table.couponId),
    check('discounts_what', sql`num_nonnulls(${table.percent}, ${table.value}) = 1`),
  ],
)

/** A new price of a company's plan, announced before: periods that begin from a day on cost so much more. */
export const readjustments = pgTable(
  'readjustments',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** Hundredths of a percent. */
    rate: integer('rate').notNull(),
    fromDay: day('from_day').notNull(),
    /** The index, or another reason. */
    reason: text('reason').notNull().default(''),
    recordedBy: text('recorded_by').notNull().default(''),
    /** When the plan got the new prices. */
    appliedAt: instantColumn('applied_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('readjustments_waiting').on(table.companyId).where(sql`${table.appliedAt} is null`),
    index('readjustments_due').on(table.fromDay).where(sql`${table.appliedAt} is null`),
  ],
)
