import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'

/**
 * Whether nothing was paid of the last `most` periods before a day, and each is overdue. Periods that begin before `from` do not
 * count, nor those that a change of plan has cut short, and one of less than the payment provider charges is no debt.
 */
export async function isUnpaidInARow(
  { sql, companyId }: Tx,
  { most, before, today, from }: { most: number; before: string; today: string; from: string | null },
): Promise<boolean> {
  if (most === 0) return false
  const [row] = await rowsFrom<{ unpaid: number }>(
    sql,
    tag`select count(*)::int as unpaid from (
        select paid_value, due_date, status, payment_problem from invoices
        where company_id = ${companyId} and is_automatic and cancelled_at is null and released_from is null
          and start_invoice_period < ${before}::date and start_invoice_period >= coalesce(${from}::date, '-infinity')
        order by start_invoice_period desc limit ${most}) newest
      where paid_value = 0 and due_date < ${today}::date and status in ('PENDING', 'OVERDUE')
        and payment_problem <> 'belowLeast'`,
  )
  return row!.unpaid === most
}
