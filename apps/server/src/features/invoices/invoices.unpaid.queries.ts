import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'

export interface UnpaidRun {
  /** late: each is overdue. soon: one is, and the others are due. */
  are: 'late' | 'soon' | 'paid'
  /** The first day of the oldest of them. */
  from: string | null
  /** Whether a period that begins on `from` or later is paid, also in part. */
  isPaidSince: boolean
}

/**
 * Whether nothing was paid of the last `most` periods before a day. Periods that begin before `from` do not count, nor those that a
 * change of plan has cut short, and one of less than the payment provider charges is no debt.
 */
export async function unpaidInARow(
  { sql, companyId }: Tx,
  { most, before, today, from }: { most: number; before: string; today: string; from: string | null },
): Promise<UnpaidRun> {
  const own = tag`company_id = ${companyId} and is_automatic and cancelled_at is null and released_from is null
    and start_invoice_period < ${before}::date and start_invoice_period >= coalesce(${from}::date, '-infinity')`
  const [row] = await rowsFrom<{ unpaid: number; late: number; from: string | null; isPaidSince: boolean }>(
    sql,
    tag`select count(*)::int as unpaid, (count(*) filter (where due_date < ${today}::date))::int as late,
        to_char(min(start_invoice_period), 'YYYY-MM-DD') as from,
        exists (select from invoices where ${own} and paid_value > 0) as "isPaidSince"
      from (
        select start_invoice_period, paid_value, due_date, status, payment_problem from invoices
        where ${own}
        order by start_invoice_period desc limit ${most}) newest
      where paid_value = 0 and status in ('PENDING', 'OVERDUE') and payment_problem <> 'belowLeast'`,
  )
  const { unpaid, late, ...found } = row!
  const isInARow = most > 0 && unpaid === most
  return { ...found, are: !isInARow || late === 0 ? 'paid' : late === most ? 'late' : 'soon' }
}
