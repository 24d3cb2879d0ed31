import type { ReviewReason } from '@balcao/contract/ledger.rules.ts'
import {
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { invoices } from './invoices.table.ts'

/** Null: of no company that is known here; only the platform sees it. */
const payer = () => integer('company_id').references(() => companies.id, { onDelete: 'cascade' })

/**
 * Money that came in, and credit that was granted. Each cent of it is in one place: refunded, allocated to an invoice, or
 * free. What is free waits for a master while `review` says why; else it is the company's credit.
 */
export const payments = pgTable(
  'payments',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    companyId: payer(),
    source: text('source').notNull().$type<'provider' | 'manual' | 'credit'>(),
    /** Cents. */
    value: integer('value').notNull(),
    status: text('status').notNull().default('RECEIVED').$type<'CONFIRMED' | 'RECEIVED'>(),
    paidOn: date('paid_on', { mode: 'string' }).notNull(),
    receiptUrl: text('receipt_url').notNull().default(''),
    /** Who collected it, and its id there; empty where no provider did. */
    provider: text('provider').notNull().default(''),
    providerId: text('provider_id').notNull().default(''),
    /** Who entered or granted it; empty where the provider or the platform did. */
    recordedBy: text('recorded_by').notNull().default(''),
    /** The invoice for which a manual one was entered; null where another version entered it. */
    enteredFor: integer('entered_for'),
    /** What credit was granted for. */
    note: text('note').notNull().default(''),
    /** Its fiscal note, once that is issued: shown at the invoices that it pays. */
    fiscalNoteUrl: text('fiscal_note_url').notNull().default(''),
    review: text('review').$type<ReviewReason>(),
    /** When masters were written to that it waits for them. */
    reviewNotifiedAt: instantColumn('review_notified_at'),
    /** One that was taken back, by a master or in the provider’s panel: it counts nowhere. */
    voidedAt: instantColumn('voided_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    // events and queries of one charge are one payment
    uniqueIndex('payments_of_provider')
      .on(table.provider, table.providerId)
      .where(sql`${table.providerId} <> ''`),
    index('payments_of_company').on(table.companyId, table.id),
    index('payments_to_review').on(table.id).where(sql`${table.review} is not null`),
    index('payments_by_day').on(table.paidOn, table.id),
    check('payments_value', sql`${table.value} > 0`),
  ],
)

/** What was given back of a payment, by a refund or a lost chargeback. */
export const paymentRefunds = pgTable(
  'payment_refunds',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    companyId: payer(),
    paymentId: integer('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    value: integer('value').notNull(),
    /**
     * wanted: the provider is to be asked. asked: it accepted that, and has not reported it as done yet. done: it is given back.
     * failed: it refused, and the money is still there.
     */
    state: text('state').notNull().default('done').$type<'wanted' | 'asked' | 'done' | 'failed'>(),
    reason: text('reason').notNull().default(''),
    /** The provider’s reason for refusing it. */
    problem: text('problem').notNull().default(''),
    recordedBy: text('recorded_by').notNull().default(''),
    attempts: integer('attempts').notNull().default(0),
    dueAt: instantColumn('due_at').notNull().default(sql`now()`),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
    /** When it was given back, where that was later than it was wanted. */
    doneAt: instantColumn('done_at'),
  },
  table => [
    index('payment_refunds_of_payment').on(table.paymentId),
    index('payment_refunds_of_company').on(table.companyId),
    index('payment_refunds_wanted').on(table.dueAt).where(sql`${table.state} = 'wanted'`),
    check('payment_refunds_value', sql`${table.value} > 0`),
  ],
)

/** Which invoices a payment pays, and with how much of it. */
export const paymentAllocations = pgTable(
  'payment_allocations',
  {
    companyId: companyId(),
    paymentId: integer('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    invoiceId: integer('invoice_id').notNull(),
    value: integer('value').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.paymentId, table.invoiceId] }),
    foreignKey({
      columns: [table.companyId, table.invoiceId],
      foreignColumns: [invoices.companyId, invoices.id],
    }).onDelete('cascade'),
    index('payment_allocations_of_invoice').on(table.companyId, table.invoiceId),
    index('payment_allocations_of_payment').on(table.paymentId),
    check('payment_allocations_value', sql`${table.value} > 0`),
  ],
)
