import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, isNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { PaymentRow } from './invoices.ledger.queries.ts'
import { paymentRefunds, payments } from './invoices.ledger.table.ts'

// Payments of no known company: only the platform sees them.

type NewPayment = Omit<typeof payments.$inferInsert, 'companyId' | 'id' | 'source' | 'review'>

/** The payment of a provider, locked, of any company; undefined where there is none, or it was deleted while this waited. */
export async function lockReported(
  sql: Sql,
  { provider = '', providerId = '' }: Pick<NewPayment, 'provider' | 'providerId'>,
): Promise<PaymentRow | undefined> {
  const [row] = await sql
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.providerId, providerId)))
    .for('update')
  return row
}

/** The same; created where there is none. */
export async function holdUnknownPayment(sql: Sql, values: NewPayment): Promise<PaymentRow> {
  await sql
    .insert(payments)
    .values({ ...values, source: 'provider', review: 'unknown' })
    .onConflictDoNothing()
  return (await lockReported(sql, values))!
}

export const updateUnknown = (sql: Sql, paymentId: number, values: Partial<PaymentRow>) =>
  sql
    .update(payments)
    .set(values)
    .where(and(eq(payments.id, paymentId), isNull(payments.companyId)))

/** The cents that were given back of it, or are to be. */
export async function refundedOf(sql: Sql, paymentId: number): Promise<number> {
  const [row] = await rowsFrom<{ refunded: number }>(
    sql,
    tag`select coalesce(sum(value), 0)::int as refunded from payment_refunds
      where payment_id = ${paymentId} and state <> 'failed'`,
  )
  return row!.refunded
}

/** A payment of no company is to be given back by its provider. Refuses with ERR_PAYMENT_SPENT where nothing of it is left. */
export async function wantUnknownRefund(
  sql: Sql,
  paymentId: number,
  { reason, recordedBy }: { reason: string; recordedBy: string },
): Promise<void> {
  const [row] = await sql
    .select()
    .from(payments)
    .where(and(eq(payments.id, paymentId), isNull(payments.companyId)))
    .for('update')
  if (!row) return refuse('ERR_NOT_FOUND')
  const value = row.value - (await refundedOf(sql, paymentId))
  if (value <= 0) refuse('ERR_PAYMENT_SPENT')
  await sql.insert(paymentRefunds).values({ paymentId, value, reason, recordedBy, state: 'wanted' })
  await updateUnknown(sql, paymentId, { review: null })
}

/** Gives a payment that no company was known for to one, with what was given back of it. */
export async function claimPayment(sql: Sql, paymentId: number, companyId: number): Promise<void> {
  const claimed = await sql
    .update(payments)
    .set({ companyId })
    .where(and(eq(payments.id, paymentId), isNull(payments.companyId)))
    .returning({ id: payments.id })
  if (claimed.length === 0) return
  await sql.update(paymentRefunds).set({ companyId }).where(eq(paymentRefunds.paymentId, paymentId))
}
