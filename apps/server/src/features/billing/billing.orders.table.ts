import type { Plan } from '@balcao/contract/plans.ts'
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, instantColumn } from '../../platform/postgres/columns.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { invoices } from '../invoices/invoices.table.ts'
import type { PlanTerms } from '../subscriptions/subscriptions.table.ts'

/** A dearer plan that a company chose, and gets when its invoice is paid; at most one for each company. */
export const planOrders = pgTable(
  'plan_orders',
  {
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    /** On sale. */
    planId: integer('plan_id').notNull(),
    recurrence: text('recurrence').notNull().$type<Plan['recurrence']>(),
    planName: text('plan_name').notNull(),
    /** What was ordered, as it was then; null where an earlier version wrote the order. */
    terms: jsonb('terms').$type<PlanTerms>(),
    /**
     * The cents that were not paid when its days were over: its invoice is cancelled, and so many that come within some days still
     * change the plan. Null: its days last.
     */
    lapsedValue: integer('lapsed_value'),
    /** Null once it is paid: its money is credit, with which the plan changes. */
    invoiceId: integer('invoice_id'),
    createdAt: instantColumn('created_at').notNull().default(sql`now()`),
  },
  table => [
    primaryKey({ columns: [table.companyId] }),
    foreignKey({
      columns: [table.companyId, table.invoiceId],
      foreignColumns: [invoices.companyId, invoices.id],
    }).onDelete('cascade'),
    index('plan_orders_of_invoice').on(table.companyId, table.invoiceId),
  ],
)
