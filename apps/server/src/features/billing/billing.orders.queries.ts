import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, isNull, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { companies } from '../companies/companies.table.ts'
import { invoices } from '../invoices/invoices.table.ts'
import { planOrders } from './billing.orders.table.ts'

export type PlanOrder = typeof planOrders.$inferSelect

/** The order of the company, and the invoice that it waits for; null where there is none. */
export async function planOrderOf(tx: Tx) {
  const [row] = await tx.sql
    .select({ order: planOrders, invoice: invoices })
    .from(planOrders)
    .leftJoin(
      invoices,
      and(eq(invoices.companyId, planOrders.companyId), eq(invoices.id, planOrders.invoiceId)),
    )
    .where(eq(planOrders.companyId, tx.companyId))
  return row ?? null
}

export const insertOrder = (tx: Tx, values: Omit<typeof planOrders.$inferInsert, 'companyId'>) =>
  tx.sql.insert(planOrders).values({ ...values, companyId: tx.companyId })

/** Its invoice is paid: what is left to do is the change. */
export const markOrderPaid = (tx: Tx) =>
  tx.sql.update(planOrders).set({ invoiceId: null }).where(eq(planOrders.companyId, tx.companyId))

export const deleteOrder = (tx: Tx) => tx.sql.delete(planOrders).where(eq(planOrders.companyId, tx.companyId))

/** Companies whose order is paid, or has an invoice whose day is over where they are. */
export const ordersDue = (sql: Sql, usualZone: string, limit: number, passed: number[] = []) =>
  sql
    .select({ companyId: planOrders.companyId })
    .from(planOrders)
    .innerJoin(companies, eq(companies.id, planOrders.companyId))
    .leftJoin(
      invoices,
      and(eq(invoices.companyId, planOrders.companyId), eq(invoices.id, planOrders.invoiceId)),
    )
    .where(
      and(
        isNull(companies.leavingAt),
        tag`(${invoices.id} is null or ${invoices.status} not in ('PENDING', 'OVERDUE')
          or ${invoices.dueDate} < (now() at time zone coalesce(${companies.timeZone}, ${usualZone}))::date)`,
        outside(planOrders.companyId, passed),
      ),
    )
    .orderBy(planOrders.companyId)
    .limit(limit)
