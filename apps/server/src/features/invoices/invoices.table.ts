import type { Invoice } from '@balcao/contract/invoices.ts'
import {
  boolean,
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
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { discounts } from '../subscriptions/subscriptions.terms.table.ts'

const day = (name: string) => date(name, { mode: 'string' })

/** What companies owe and paid. A period gets one automatic invoice, whatever dies meanwhile: `invoices_period`. */
export const invoices = pgTable(
  'invoices',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** A plan with invoices is not deleted. */
    planId: integer('plan_id')
      .notNull()
      .references(() => plans.id),
    startInvoicePeriod: day('start_invoice_period').notNull(),
    endInvoicePeriod: day('end_invoice_period').notNull(),
    /** Cents that are to be paid: what was issued, less `creditedValue`. */
    value: integer('value').notNull(),
    /** Cents that are not charged any more, since a change of plan ended the period early, or the next invoice charges them. */
    creditedValue: integer('credited_value').notNull().default(0),
    creditedAt: instantColumn('credited_at'),
    /** Cents of `value` that are left of earlier invoices, each less than the payment provider charges. */
    carriedValue: integer('carried_value').notNull().default(0),
    /** What a one-off charge is for; empty where the invoice pays a period of the plan. A one-off charge holds no day. */
    description: text('description').notNull().default(''),
    /** Cents of the price of its period that a discount left out when it was issued. */
    discountValue: integer('discount_value').notNull().default(0),
    discountId: integer('discount_id'),
    /** Cents of `value` that were paid as fine and interest. */
    lateValue: integer('late_value').notNull().default(0),
    lateAt: instantColumn('late_at'),
    billingType: text('billing_type').notNull().$type<Invoice['billingType']>(),
    dueDate: day('due_date').notNull(),
    payDate: day('pay_date'),
    recurrence: integer('recurrence').notNull().$type<Invoice['recurrence']>(),
    /** Follows from its payments, its due date and its cancellation (`settleInvoice`). */
    status: text('status').notNull().default('PENDING').$type<Invoice['status'] | 'CANCELLED'>(),
    /** Cents that payments allocate to it, and that were given back of them. */
    paidValue: integer('paid_value').notNull().default(0),
    refundedValue: integer('refunded_value').notNull().default(0),
    cancelledAt: instantColumn('cancelled_at'),
    cancelReason: text('cancel_reason').notNull().default(''),
    cancelledBy: text('cancelled_by').notNull().default(''),
    /** The first day of its period that it does not hold any more, since it was credited or cancelled; null: it holds all. */
    releasedFrom: day('released_from'),
    /** Raised when a payment is given back: its reminders begin again. */
    round: integer('round').notNull().default(0),
    paymentLink: text('payment_link').notNull().default(''),
    /** The fiscal note of its payment; empty where there is none. */
    fiscalNoteUrl: text('fiscal_note_url').notNull().default(''),
    paymentProblem: text('payment_problem').notNull().default(''),
    transactionReceiptUrl: text('transaction_receipt_url').notNull().default(''),
    isAutomatic: boolean('is_automatic').notNull().default(false),
    /** The day of the month on which its periods begin; shorter months lend their last. */
    anchor: integer('anchor').notNull(),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // a call names an invoice without its company
    uniqueIndex('invoices_id').on(table.id),
    uniqueIndex('invoices_period')
      .on(table.companyId, table.startInvoicePeriod)
      .where(
        sql`${table.isAutomatic} and coalesce(${table.releasedFrom} > ${table.startInvoicePeriod}, true)`,
      ),
    index('invoices_of_plan').on(table.planId, table.startInvoicePeriod, table.id),
    index('invoices_by_due').on(table.dueDate, table.id),
    index('invoices_waiting').on(table.companyId, table.dueDate).where(sql`${table.status} = 'PENDING'`),
    foreignKey({
      columns: [table.companyId, table.discountId],
      foreignColumns: [discounts.companyId, discounts.id],
    }),
    index('invoices_of_discount')
      .on(table.companyId, table.discountId)
      .where(sql`${table.discountId} is not null`),
    check('invoices_value', sql`${table.value} > 0`),
  ],
)
