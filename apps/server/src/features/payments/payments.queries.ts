import type { Payment } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { isDecided } from '../invoices/invoices.ledger.queries.ts'

/** A refund that the provider has accepted and not carried out yet, or of which it says nothing for an hour. */
const IS_OPEN = tag`(state = 'asked' or state = 'wanted' and created_at < now() - interval '1 hour')`

const selectPayments = (where: SQL) => tag`
  select p.id, p.company_id as "companyId", coalesce(c.name, '') as "companyName", p.source, p.value, p.status,
    to_char(p.paid_on, 'YYYY-MM-DD') as "paidOn", p.receipt_url as "receiptUrl", p.provider, p.provider_id as "providerId",
    p.recorded_by as "recordedBy", p.note, p.review,
    ${momentOf(tag`p.created_at`)} as "createdAt", r.asked as "askedRefund",
    coalesce(r.refunded, 0)::int as "refundedValue", r.problem as "refundProblem",
    case when p.voided_at is null then p.value - coalesce(r.refunded, 0) - coalesce(a.allocated, 0) else 0 end::int as "freeValue",
    coalesce((select sum(value) from payment_returns where payment_id = p.id and answer is null), 0)::int as "returnedValue",
    coalesce(a.invoices, '[]'::json) as invoices
  from payments p left join companies c on c.id = p.company_id
  left join lateral (
    select sum(value) filter (where state <> 'failed') as refunded,
      (array_agg(json_build_object('value', value, 'at', ${momentOf(tag`created_at`)}, 'isAccepted', state = 'asked')
        order by id desc) filter (where ${IS_OPEN}))[1] as asked,
      case when count(*) filter (where ${IS_OPEN}) > 0 then ''
        else coalesce((array_agg(problem order by id desc) filter (where state = 'failed'))[1], '') end as problem
    from payment_refunds where payment_id = p.id) r on true
  left join lateral (
    select sum(value) as allocated, json_agg(json_build_object('invoiceId', invoice_id, 'value', value)) as invoices
    from payment_allocations where payment_id = p.id) a on true
  where ${where}`

const momentOf = (column: SQL) => tag`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

type ShownPayment = Omit<Payment, 'valueBrl'>

const shown = (row: ShownPayment): Payment => ({ ...row, valueBrl: brl(row.value) })

/** Those with free cents that wait for a master, and those whose refund is not carried out yet. */
const toReview = tag`p.voided_at is null and p.id in (select id from payments where review is not null
  union all select payment_id from payment_refunds where ${IS_OPEN}
  union all select payment_id from payment_returns where answer is null)`

/** Payments of a company that are its credit. */
export async function creditPayments(sql: Sql, companyId: number, pageNumber: number | undefined) {
  const isCredit = tag`p.company_id = ${companyId} and p.voided_at is null and ${isDecided}
    and p.value > coalesce(r.refunded, 0) + coalesce(a.allocated, 0)`
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    rowsFrom<ShownPayment>(
      sql,
      tag`${selectPayments(isCredit)} order by p.id limit ${limit} offset ${offset}`,
    ),
  )
  return { payments: rows.map(shown), hasMore }
}

/** Payments of all companies that a master has to decide on or to watch. */
export async function paymentsToReview(sql: Sql, pageNumber: number | undefined) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    rowsFrom<ShownPayment>(
      sql,
      tag`${selectPayments(toReview)} order by p.id limit ${limit} offset ${offset}`,
    ),
  )
  return { payments: rows.map(shown), hasMore }
}

/** Also one that was taken back. Refuses with ERR_NOT_FOUND. */
export async function findPayment(sql: Sql, paymentId: number): Promise<Payment> {
  const [row] = await rowsFrom<ShownPayment>(sql, selectPayments(tag`p.id = ${paymentId}`))
  return row ? shown(row) : refuse('ERR_NOT_FOUND')
}
