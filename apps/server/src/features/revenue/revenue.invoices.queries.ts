import { boundsOf, type InvoicePart } from '@balcao/contract/revenue.rules.ts'
import type { RevenueInvoiceFilter, RevenueSum } from '@balcao/contract/revenue.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, gte, inArray, lt, ne, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { invoices } from '../invoices/invoices.table.ts'

const STATUS = {
  pending: ['PENDING'],
  overdue: ['OVERDUE'],
  paid: ['RECEIVED', 'CONFIRMED'],
  cancelled: ['CANCELLED'],
} as const satisfies Record<InvoicePart, string[]>

/** The condition of the list, its totals and its file. */
function wanted({ month, part, companyId, planName, kind }: RevenueInvoiceFilter): SQL | undefined {
  const bounds = month && boundsOf(month)
  return and(
    bounds ? gte(invoices.dueDate, bounds.from) : undefined,
    bounds ? lt(invoices.dueDate, bounds.until) : undefined,
    kind && (kind === 'oneOff' ? ne(invoices.description, '') : eq(invoices.description, '')),
    part && inArray(invoices.status, [...STATUS[part]]),
    companyId === undefined ? undefined : eq(invoices.companyId, companyId),
    planName === undefined
      ? undefined
      : tag`${invoices.planId} in (select p.id from plans p where p.company_id is not null and p.name = ${planName})`,
  )
}

/** The place of an invoice in the list. */
export interface InvoicePlace {
  dueDate: string
  id: number
}

/** Those behind a place, the latest due date first. */
export const invoicesAfter = (
  sql: Sql,
  filter: RevenueInvoiceFilter,
  { after, offset = 0, limit }: { after: InvoicePlace | null; offset?: number; limit: number },
) =>
  sql
    .select({
      invoice: invoices,
      companyName: companies.name,
      documentNumber: companies.documentNumber,
      planName: plans.name,
    })
    .from(invoices)
    .innerJoin(companies, eq(companies.id, invoices.companyId))
    .innerJoin(plans, eq(plans.id, invoices.planId))
    .where(
      and(
        wanted(filter),
        after
          ? tag`(${invoices.dueDate}, ${invoices.id}) < (${after.dueDate}::date, ${after.id}::int)`
          : undefined,
      ),
    )
    .orderBy(desc(invoices.dueDate), desc(invoices.id))
    .limit(limit)
    .offset(offset)

/** What is left to pay of an invoice. */
const OWED = tag`(${invoices.value} - ${invoices.paidValue})`

/** What they add up to: those that wait or are overdue by what is left to pay. */
export async function invoiceTotals(sql: Sql, filter: RevenueInvoiceFilter) {
  const sums = (part: InvoicePart) => {
    const those = tag`filter (where ${inArray(invoices.status, [...STATUS[part]])})`
    const counted = part === 'paid' || part === 'cancelled' ? invoices.value : OWED
    return tag<RevenueSum>`json_build_object('count', count(*) ${those}, 'value', coalesce(sum(${counted}) ${those}, 0))`
  }
  const [row] = await sql
    .select({
      pending: sums('pending'),
      overdue: sums('overdue'),
      paid: sums('paid'),
      cancelled: sums('cancelled'),
      paidValue: tag<number>`coalesce(sum(${invoices.paidValue}), 0)::float8`,
    })
    .from(invoices)
    .where(wanted(filter))
  return row!
}
