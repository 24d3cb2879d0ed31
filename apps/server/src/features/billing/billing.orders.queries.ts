import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, isNull, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
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

/** Paid (`invoiceId` null): what is left to do is the change. Or its days are over (`lapsedValue`). */
export const markOrder = (tx: Tx, values: { invoiceId: null } | { lapsedValue: number }) =>
  tx.sql.update(planOrders).set(values).where(eq(planOrders.companyId, tx.companyId))

export const deleteOrder = (tx: Tx) => tx.sql.delete(planOrders).where(eq(planOrders.companyId, tx.companyId))

/** Less than this cannot be charged by every provider: it is owed, and the plan changes at once. */
export const LEAST_ORDER = 500

/** Days after the last one in which money for an order still changes the plan: a boleto clears later than it is paid. */
const LATE_DAYS = 10

/**
 * Companies whose order is paid, but for less than can be charged; or has an invoice whose day is over where they are, and for one
 * whose days to pay are over, its days to come late.
 */
export const ordersDue = (
  sql: Sql,
  usualZone: string,
  limit: number,
  { passed = [], now = tag`now()` }: { passed?: number[]; now?: SQL } = {},
) =>
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
        tag`case when ${invoices.id} is null then true
          when ${planOrders.lapsedValue} is not null then ${invoices.dueDate} + ${LATE_DAYS}::int < ${there(usualZone, now)}
          else ${invoices.status} not in ('PENDING', 'OVERDUE') or ${invoices.dueDate} < ${there(usualZone, now)}
            or ${invoices.value} - ${invoices.paidValue} < ${LEAST_ORDER}::int end`,
        outside(planOrders.companyId, passed),
      ),
    )
    .orderBy(planOrders.companyId)
    .limit(limit)

const there = (usualZone: string, now: SQL) =>
  tag`(${now} at time zone coalesce(${companies.timeZone}, ${usualZone}))::date`
