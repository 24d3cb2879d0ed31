import type { RecurrenceMonths } from '@balcao/contract/invoices.rules.ts'
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies, type plans } from '../companies/companies.table.ts'

const day = (name: string) => date(name, { mode: 'string' })

/**
 * From when and until when a company is billed. Its row is locked before anything of the company's invoices and payments is
 * changed, so these changes follow one another.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** Nothing before it is billed; null: from the end of the trial, or the first day with a price. */
    billedFrom: day('billed_from'),
    /** The last day of the newest period that was invoiced automatically, or that nothing was owed for. */
    billedThrough: day('billed_through'),
    /** The day of the month on which periods begin; shorter months lend their last. */
    anchor: integer('anchor'),
    /** A trial that a master prolonged; null: by the day of the sign-up. */
    trialEndsOn: day('trial_ends_on'),
    /** The day on which billing stopped, since the company paid none of its last periods; null: it goes on. */
    unpaidSince: day('unpaid_since'),
    /** Unpaid periods that begin before it stop no billing: a master took the company up again then, or it is the first that stopped it. */
    unpaidFrom: day('unpaid_from'),
    /** The last day of the service, and why and by whom it was ended; null: until further notice. */
    endsOn: day('ends_on'),
    endReason: text('end_reason').notNull().default(''),
    endedBy: text('ended_by').notNull().default(''),
    /** When its paid invoices of earlier versions got their payments; null: not yet. */
    adoptedAt: instantColumn('adopted_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)

/** Times in which a company is not billed: it was switched off, or a master lets its subscription rest. */
export const subscriptionPauses = pgTable(
  'subscription_pauses',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull().$type<'off' | 'pause'>(),
    fromDay: day('from_day').notNull(),
    /** The day on which it is billed again; null: until further notice. */
    untilDay: day('until_day'),
    reason: text('reason').notNull().default(''),
    recordedBy: text('recorded_by').notNull().default(''),
    /** The company is suspended meanwhile (`settle_company`). */
    restsService: boolean('rests_service').notNull().default(false),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('subscription_pauses_resting').on(table.companyId).where(sql`${table.restsService}`),
    index('subscription_pauses_by_day').on(table.companyId, table.fromDay),
  ],
)

/** A change of plan that waits for its day, or was made today and is not applied yet. */
export const planChanges = pgTable(
  'plan_changes',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    fromDay: day('from_day').notNull(),
    /** What the plan of the company is from that day on. */
    terms: jsonb('terms').notNull().$type<PlanTerms>(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [primaryKey({ columns: [table.companyId] })],
)

export type PlanTerms = Omit<
  typeof plans.$inferSelect,
  // how the company pays, and whether it is billed automatically, do not change with the plan
  'id' | 'companyId' | 'isStandard' | 'highlighted' | 'status' | 'billingType' | 'automaticInvoice'
>

/** Every price that the plan of a company ever had; written by a trigger of `plans`. */
export const planPrices = pgTable(
  'plan_prices',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    since: instantColumn('since').notNull().default(sql`now()`),
    name: text('name').notNull(),
    /** Months per payment, and what they cost together, in cents. */
    months: integer('months').notNull().$type<RecurrenceMonths>(),
    value: integer('value').notNull(),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index('plan_prices_since').on(table.companyId, table.since),
  ],
)
