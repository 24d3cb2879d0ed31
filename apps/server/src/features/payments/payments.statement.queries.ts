import type { StatementLine } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { onePage } from '../../platform/lists/lists.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'

/** The period of an invoice, or what its one-off charge is for. */
const whatFor = tag`coalesce(nullif(description, ''), start_invoice_period || ' – ' || end_invoice_period)`

/**
 * The invoices of the company, with the cents of each that were given back and are not owed again: those have lines of their own. An
 * invoice of which all that was left was given back is cancelled by that (`given_last`); else it was reduced by it before.
 */
const invoicesOf = (tx: Tx) => tag`
  select i.*, given_last, given - given_last as given_before
  from invoices i
    cross join lateral (select coalesce(sum(r.value), 0)::int as given from payment_returns r
      where r.company_id = i.company_id and r.invoice_id = i.id and r.answer is distinct from 'reversal') g
    cross join lateral (select case when i.cancelled_at is null then 0
      when i.cancel_reason = 'givenBack' then least(given, i.value) else given - least(given, i.credited_value) end as given_last) l
  where i.company_id = ${tx.companyId}`

/**
 * Every invoice, payment and refund of the company as lines with a sign. A refund has its line when it is done: until then, and where
 * it fails, the money is still there. Paid invoices of an earlier version whose payments are not made yet have a line of their own.
 */
const linesOf = (tx: Tx) => tag`
  with invoice as materialized (${invoicesOf(tx)})
  select (created_at at time zone ${zoneOf(tx)})::date as day, created_at as at, 'invoice' as kind, id, -(value + credited_value - late_value) as value,
    ${whatFor} as text
  from invoice
  union all
  select (cancelled_at at time zone ${zoneOf(tx)})::date, cancelled_at, 'cancelled', id, value - given_last, cancel_reason
  from invoice where cancelled_at is not null and value <> given_last
  union all
  select (coalesce(credited_at, created_at) at time zone ${zoneOf(tx)})::date, coalesce(credited_at, created_at), 'reduced', id, credited_value - given_before, ${whatFor}
  from invoice where credited_value <> given_before
  union all
  select (returned_at at time zone ${zoneOf(tx)})::date, returned_at, returns.kind, id, returned, ${whatFor}
  from (
    select invoice_id, created_at as returned_at, case answer when 'gift' then 'gift' else 'returned' end as kind, sum(value)::int as returned
    from payment_returns where company_id = ${tx.companyId} and answer is distinct from 'reversal' group by 1, 2, 3) returns
    join invoice on invoice.id = returns.invoice_id
  union all
  select (late_at at time zone ${zoneOf(tx)})::date, late_at, 'late', id, -late_value, ${whatFor}
  from invoice where late_value > 0
  union all
  select coalesce(pay_date, due_date), greatest(created_at, coalesce(pay_date, due_date)::timestamp at time zone ${zoneOf(tx)}),
    'payment', id, value, ''
  from invoice where status in ('RECEIVED', 'CONFIRMED') and paid_value = 0
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
