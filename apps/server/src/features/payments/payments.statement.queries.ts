import type { StatementLine } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'

/** The period of an invoice, or what its one-off charge is for. */
const whatFor = tag`coalesce(nullif(description, ''), start_invoice_period || ' – ' || end_invoice_period)`

/**
 * Every invoice, payment and refund of the company as lines with a sign. A refund has its line when it is done: until then, and where
 * it fails, the money is still there. Paid invoices of an earlier version whose payments are not made yet have a line of their own.
 */
const linesOf = (tx: Tx) => tag`
  select (created_at at time zone ${zoneOf(tx)})::date as day, created_at as at, 'invoice' as kind, id, -(value + credited_value - late_value) as value,
    ${whatFor} as text
  from invoices where company_id = ${tx.companyId}
  union all
  select (cancelled_at at time zone ${zoneOf(tx)})::date, cancelled_at, 'cancelled', id, value, cancel_reason
  from invoices where company_id = ${tx.companyId} and cancelled_at is not null
  union all
  select (credited_at at time zone ${zoneOf(tx)})::date, credited_at, 'reduced', id, credited_value,
    ${whatFor}
  from invoices where company_id = ${tx.companyId} and credited_at is not null
  union all
  select (late_at at time zone ${zoneOf(tx)})::date, late_at, 'late', id, -late_value, ${whatFor}
  from invoices where company_id = ${tx.companyId} and late_value > 0
  union all
  select coalesce(pay_date, due_date), greatest(created_at, coalesce(pay_date, due_date)::timestamp at time zone ${zoneOf(tx)}),
    'payment', id, value, ''
  from invoices where company_id = ${tx.companyId} and status in ('RECEIVED', 'CONFIRMED') and paid_value = 0
  union all
  select paid_on, created_at, case source when 'credit' then 'credit' else 'payment' end, id, value,
    coalesce(nullif(note, ''), nullif(provider, ''), recorded_by)
  from payments where company_id = ${tx.companyId} and voided_at is null
  union all
  select (given_back at time zone ${zoneOf(tx)})::date, given_back, 'refund', payment_id, -value, reason
  from (
    select r.payment_id, r.value, r.reason, coalesce(r.done_at, r.created_at) as given_back
    from payment_refunds r join payments p on p.id = r.payment_id and p.voided_at is null
    where r.company_id = ${tx.companyId} and r.state = 'done') done`

/**
 * A page of the statement, and the sum of all its lines: more than an integer of four bytes holds. One statement, so that both
 * are of one moment.
 */
export async function statementOf(tx: Tx, pageNumber: number | undefined) {
  let balance = 0
  const { rows, hasMore } = await onePage<StatementLine>({ pageNumber }, async (limit, offset) => {
    const [found] = await rowsFrom<{ balance: number; page: StatementLine[] }>(
      tx.sql,
      tag`with lines as materialized (${linesOf(tx)}), page as (
          select to_char(day, 'YYYY-MM-DD') as on, kind, id, text, value,
            (sum(value) over (order by at, kind desc, id))::float8 as balance
          from lines order by at desc, kind, id desc limit ${limit} offset ${offset})
        select coalesce((select sum(value) from lines), 0)::float8 as balance,
          coalesce((select json_agg(page) from page), '[]'::json) as page`,
    )
    balance = found!.balance
    return found!.page
  })
  return { balance, balanceBrl: brl(balance), lines: rows, hasMore }
}
