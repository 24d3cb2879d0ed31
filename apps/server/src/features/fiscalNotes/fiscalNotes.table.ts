import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyId, instantColumn, serialId } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { payments } from '../invoices/invoices.ledger.table.ts'

/** The fiscal note of a payment, issued by the provider that collected it; one for each. */
export const fiscalNotes = pgTable(
  'fiscal_notes',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    id: serialId(),
    paymentId: integer('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    /**
     * wanted: the provider is to be asked. asked: it accepted the note, and the town has not answered. dismissed: a master wants none
     * after a refusal.
     */
    state: text('state')
      .notNull()
      .default('wanted')
      .$type<'wanted' | 'asked' | 'issued' | 'failed' | 'cancelled' | 'dismissed'>(),
    /** The provider’s id; empty until it has one. */
    noteId: text('note_id').notNull().default(''),
    /** The number that the town gave it. */
    number: text('number').notNull().default(''),
    pdfUrl: text('pdf_url').notNull().default(''),
    /** Why it was refused. */
    problem: text('problem').notNull().default(''),
    attempts: integer('attempts').notNull().default(0),
    dueAt: instantColumn('due_at').notNull().default(sql`now()`),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('fiscal_notes_of_payment').on(table.paymentId),
    index('fiscal_notes_of_provider').on(table.noteId).where(sql`${table.noteId} <> ''`),
    index('fiscal_notes_due').on(table.dueAt).where(sql`${table.state} in ('wanted', 'asked')`),
    index('fiscal_notes_failed').on(table.createdAt).where(sql`${table.state} = 'failed'`),
  ],
)
