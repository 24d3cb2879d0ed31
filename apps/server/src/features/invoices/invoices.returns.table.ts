import { check, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { payments } from './invoices.ledger.table.ts'
import { invoices } from './invoices.table.ts'

/**
 * What was given back of an invoice, which asks for so much less: by a master as a gift, or by a provider without being asked here,
 * until a master answers whether it was a gift or is owed again.
 */
export const paymentReturns = pgTable(
  'payment_returns',
  {
    companyId: companyId(),
    id: serialId(),
    paymentId: integer('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    invoiceId: integer('invoice_id').notNull(),
    value: integer('value').notNull(),
    /** Null: it waits. */
    answer: text('answer').$type<'gift' | 'reversal'>(),
    answeredBy: text('answered_by').notNull().default(''),
    answeredAt: instantColumn('answered_at'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({
      columns: [table.companyId, table.invoiceId],
      foreignColumns: [invoices.companyId, invoices.id],
    }).onDelete('cascade'),
    index('payment_returns_of_payment').on(table.paymentId),
    index('payment_returns_of_invoice').on(table.companyId, table.invoiceId),
    check('payment_returns_value', sql`${table.value} > 0`),
  ],
)
