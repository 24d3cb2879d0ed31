import type { LeadInput } from '@balcao/contract/leads.ts'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Letter } from '../../platform/outbound/letter.ts'
import { instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { coupons } from '../subscriptions/subscriptions.terms.table.ts'

/** People who asked for a plan in the store. Of the platform until one is completed: then it goes with its company. */
export const leads = pgTable(
  'leads',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    /** What its link names; signed, it is what others know it by. */
    key: uuid('key').notNull().defaultRandom(),
    companyId: integer('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    email: text('email').notNull(),
    whatsAppNumber: text('whatsapp_number').notNull(),
    /** No foreign key: of a plan that is gone another is chosen. Null: the standard one. */
    planId: integer('plan_id'),
    origin: text('origin').notNull(),
    /** What its company pays less; null: nothing. */
    couponId: integer('coupon_id').references(() => coupons.id),
    recurrence: text('recurrence').notNull().$type<NonNullable<LeadInput['recurrence']>>(),
    language: text('language').notNull().$type<Letter['language']>(),
    /** The network that it came from. */
    network: text('network').notNull(),
    /** So many letters were written to it since then. */
    letters: integer('letters').notNull().default(0),
    lettersSince: instantColumn('letters_since').notNull().default(sql`now()`),
    expiresAt: instantColumn('expires_at').notNull(),
    completedAt: instantColumn('completed_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    uniqueIndex('leads_key').on(table.key),
    index('leads_email').on(sql`lower(${table.email})`),
    index('leads_age').on(table.createdAt),
    index('leads_of_coupon').on(table.couponId).where(sql`${table.couponId} is not null`),
    index('leads_plan').on(table.planId),
    index('leads_company').on(table.companyId),
  ],
)
