import { periodPriceOf, type ReviewReason, restOf } from '@balcao/contract/ledger.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, isNull, or, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { paymentAllocations, payments } from './invoices.ledger.table.ts'
import type { InvoiceRow } from './invoices.queries.ts'

export type PaymentRow = typeof payments.$inferSelect
type NewPayment = Omit<typeof payments.$inferInsert, 'companyId' | 'id'>

/** Null where the provider’s payment is there already. */
export async function insertPayment(tx: Tx, values: NewPayment): Promise<PaymentRow | null> {
  const [row] = await tx.sql
    .insert(payments)
    .values({ ...values, companyId: tx.companyId })
    .onConflictDoNothing()
    .returning()
  return row ?? null
}

/** Locked. */
export async function paymentOfProvider(
  tx: Tx,
  provider: string,
  providerId: string,
): Promise<PaymentRow | null> {
  const [row] = await tx.sql
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.companyId, tx.companyId),
        eq(payments.provider, provider),
        eq(payments.providerId, providerId),
      ),
    )
    .for('update')
  return row ?? null
}

/** Locked; null where the company has no such payment. */
export async function lockPayment(tx: Tx, paymentId: number): Promise<PaymentRow | null> {
  const [row] = await tx.sql
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, tx.companyId), eq(payments.id, paymentId), isNull(payments.voidedAt)))
    .for('update')
  return row ?? null
}

export const updatePayment = (tx: Tx, paymentId: number, values: Partial<PaymentRow>) =>
  tx.sql
    .update(payments)
    .set(values)
    .where(and(eq(payments.companyId, tx.companyId), eq(payments.id, paymentId)))

export const setReview = (tx: Tx, paymentId: number, review: ReviewReason | null) =>
  updatePayment(tx, paymentId, { review })

/** The cents of a payment that are neither refunded nor allocated. */
const freeOf = tag`(p.value
  - coalesce((select sum(r.value) from payment_refunds r where r.payment_id = p.id and r.state <> 'failed'), 0)
  - coalesce((select sum(a.value) from payment_allocations a where a.payment_id = p.id), 0))::int`

export async function freeValue(tx: Tx, paymentId: number): Promise<number> {
  const [row] = await rowsFrom<{ free: number }>(
    tx.sql,
    tag`select ${freeOf} as free from payments p
      where p.company_id = ${tx.companyId} and p.id = ${paymentId} and p.voided_at is null`,
  )
  return row?.free ?? 0
}

export interface Credit {
  id: number
  /** Cents that pay no invoice and were not given back. */
  free: number
}

/** Whether the free cents of a payment `p` wait for no master: what waits of one that was given back is no free cent. */
export const isDecided = tag`(p.review is null or p.review = 'returned')`

/** The credit of the company: its free payments, the oldest first. */
export const creditOf = (tx: Tx): Promise<Credit[]> =>
  rowsFrom(
    tx.sql,
    tag`select id, free from (
        select p.id, ${freeOf} as free from payments p
        where p.company_id = ${tx.companyId} and p.voided_at is null and ${isDecided}) found
      where free > 0 order by id`,
  )

/** Adds cents of a payment to what it pays of an invoice. */
export const allocate = (tx: Tx, of: { paymentId: number; invoiceId: number; value: number }) =>
  tx.sql
    .insert(paymentAllocations)
    .values({ ...of, companyId: tx.companyId })
    .onConflictDoUpdate({
      target: [paymentAllocations.companyId, paymentAllocations.paymentId, paymentAllocations.invoiceId],
      set: { value: tag`${paymentAllocations.value} + excluded.value` },
    })

const withdrawn = { invoiceId: paymentAllocations.invoiceId, value: paymentAllocations.value }

/** The invoices that a payment pays. */
export async function invoicesPaidBy(tx: Tx, paymentId: number): Promise<number[]> {
  const rows = await tx.sql
    .select({ invoiceId: paymentAllocations.invoiceId })
    .from(paymentAllocations)
    .where(and(eq(paymentAllocations.companyId, tx.companyId), eq(paymentAllocations.paymentId, paymentId)))
    .orderBy(paymentAllocations.invoiceId)
  return rows.map(({ invoiceId }) => invoiceId)
}

/**
 * Takes so many cents out of what a payment pays, or of what pays an invoice, from the newest first: they are free then. Answers
 * the cents of each.
 */
export const withdrawCents = async (
  tx: Tx,
  of: { paymentId: number } | { invoiceId: number },
  cents: number,
): Promise<{ paymentId: number; invoiceId: number; value: number }[]> =>
  cents <= 0
    ? []
    : rowsFrom(
        tx.sql,
        tag`with newest as (
        select payment_id, invoice_id, value,
          sum(value) over (order by created_at desc, payment_id desc, invoice_id desc) - value as before
        from payment_allocations where company_id = ${tx.companyId}
          and ${'paymentId' in of ? tag`payment_id = ${of.paymentId}` : tag`invoice_id = ${of.invoiceId}`}),
      taken as (
        select payment_id, invoice_id, value as allocated, least(value, ${cents}::int - before)::int as value
        from newest where before < ${cents}::int),
      gone as (
        delete from payment_allocations a using taken t
        where a.company_id = ${tx.companyId} and a.payment_id = t.payment_id and a.invoice_id = t.invoice_id
          and t.value = t.allocated),
      less as (
        update payment_allocations a set value = t.allocated - t.value from taken t
        where a.company_id = ${tx.companyId} and a.payment_id = t.payment_id and a.invoice_id = t.invoice_id
          and t.value < t.allocated)
      select payment_id as "paymentId", invoice_id as "invoiceId", value from taken order by payment_id, invoice_id`,
      )

/** Takes a payment from all invoices that it pays; answers them. */
export const withdrawPayment = (tx: Tx, paymentId: number) =>
  tx.sql
    .delete(paymentAllocations)
    .where(and(eq(paymentAllocations.companyId, tx.companyId), eq(paymentAllocations.paymentId, paymentId)))
    .returning(withdrawn)

/** Takes all payments from an invoice: they are free then. */
export const withdrawFromInvoice = (tx: Tx, invoiceId: number) =>
  tx.sql
    .delete(paymentAllocations)
    .where(and(eq(paymentAllocations.companyId, tx.companyId), eq(paymentAllocations.invoiceId, invoiceId)))
    .returning(withdrawn)

/** The payments that were entered by hand for an invoice, or pay it, the newest last, with what was given back of each. */
export const manualPaymentsFor = (tx: Tx, invoiceId: number) =>
  tx.sql
    .select({
      payment: payments,
      refunded: tag<number>`(select coalesce(sum(r.value), 0)::int from payment_refunds r
        where r.payment_id = payments.id and r.state <> 'failed')`,
    })
    .from(payments)
    .where(
      and(
        eq(payments.companyId, tx.companyId),
        eq(payments.source, 'manual'),
        isNull(payments.voidedAt),
        or(
          eq(payments.enteredFor, invoiceId),
          tag`exists (select from payment_allocations a where a.company_id = ${tx.companyId}
            and a.payment_id = ${payments.id} and a.invoice_id = ${invoiceId})`,
        ),
      ),
    )
    .orderBy(payments.id)

/**
 * The credit that an earlier version granted for the rest of an invoice when the plan changed, and of which nothing was given back: it
 * was never money. Others of the same day are of other invoices.
 */
export const creditsOfEarlier = (tx: Tx, invoice: InvoiceRow): PromiseLike<PaymentRow[]> | PaymentRow[] =>
  invoice.releasedFrom === null ||
  invoice.creditedValue > 0 ||
  invoice.releasedFrom <= invoice.startInvoicePeriod
    ? []
    : tx.sql
        .select()
        .from(payments)
        .where(
          and(
            eq(payments.companyId, tx.companyId),
            eq(payments.source, 'credit'),
            eq(payments.paidOn, invoice.releasedFrom),
            eq(payments.value, restOf({ ...priced(invoice), releasedFrom: null }, invoice.releasedFrom)),
            eq(payments.recordedBy, ''),
            isNull(payments.voidedAt),
            tag`not exists (select from payment_refunds r where r.payment_id = ${payments.id} and r.state <> 'failed')`,
          ),
        )
        // what the invoice still owed was settled by its own credit first
        .orderBy(
          desc(tag`exists (select from payment_allocations a where a.company_id = ${tx.companyId}
          and a.payment_id = ${payments.id} and a.invoice_id = ${invoice.id})`),
          payments.id,
        )
        .limit(1)

const priced = (invoice: InvoiceRow) => ({ ...invoice, value: periodPriceOf(invoice) })

/** The payments of an invoice, the newest last. */
export const paymentsOfInvoice = (tx: Tx, invoiceId: number) =>
  tx.sql
    .select({ payment: payments, value: paymentAllocations.value })
    .from(paymentAllocations)
    .innerJoin(payments, eq(payments.id, paymentAllocations.paymentId))
    .where(and(eq(paymentAllocations.companyId, tx.companyId), eq(paymentAllocations.invoiceId, invoiceId)))
    .orderBy(payments.paidOn, payments.id)

/** The company of a payment, of any; null where it has none. Refuses with ERR_NOT_FOUND. */
export async function companyOfPayment(sql: Sql, paymentId: number): Promise<number | null> {
  const [row] = await sql
    .select({ companyId: payments.companyId })
    .from(payments)
    .where(and(eq(payments.id, paymentId), isNull(payments.voidedAt)))
  return row ? row.companyId : refuse('ERR_NOT_FOUND')
}
