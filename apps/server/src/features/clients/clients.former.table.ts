import { boolean, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'

const day = (name: string) => date(name, { mode: 'string' })

/** The invoices of companies that were deleted, as far as the recurring revenue of past months is read from them. */
export const formerInvoices = pgTable(
  'former_invoices',
  {
    id: serialId(),
    /** One number for each deleted company: negative, so that it is never that of a company, and of no other row. */
    payer: integer('payer').notNull(),
    startPeriod: day('start_period').notNull(),
    /** The day before the company was deleted at the latest. */
    endPeriod: day('end_period').notNull(),
    /** Cents a month. */
    value: integer('value').notNull(),
    isAutomatic: boolean('is_automatic').notNull(),
  },
  table => [primaryKey({ columns: [table.payer, table.id] })],
)

/** Payments, credit and refunds of companies that were deleted. */
export const formerReceipts = pgTable(
  'former_receipts',
  {
    id: serialId(),
    day: day('day').notNull(),
    /** Cents; what was given back is negative. */
    value: integer('value').notNull(),
    /** Of the payment; and who collected it, empty where no provider did. */
    source: text('source').notNull().$type<'provider' | 'manual' | 'credit'>(),
    provider: text('provider').notNull(),
    /** Of the provider and its id of the payment: what it reports later is of this payment. Null where no provider collected it. */
    digest: text('digest'),
  },
  table => [
    primaryKey({ columns: [table.day, table.id] }),
    index('former_receipts_digest').on(table.digest).where(sql`${table.digest} is not null`),
  ],
)
