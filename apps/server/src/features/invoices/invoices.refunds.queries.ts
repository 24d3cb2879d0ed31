import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, isNull, ne, sql as tag } from '../../platform/postgres/sql.ts'
import type { PaymentRow } from './invoices.ledger.queries.ts'
import { paymentRefunds } from './invoices.ledger.table.ts'

// A payment may be of no company that is known here: its refunds are found by the company that it has, or by none.

type RefundRow = typeof paymentRefunds.$inferSelect

/**
 * Writes the refunds of a payment, which is locked, of which so many cents were given back by now: the difference to those that are
 * done. One that is wanted or asked for is done by it; where it is of more, it is reduced to what is left then. Answers the cents
 * that are neither given back nor to be.
 */
export async function bookRefunds(sql: Sql, payment: PaymentRow, refunded: number): Promise<number> {
  const { id: paymentId, companyId, value } = payment
  const known = await lockRefunds(sql, payment)
  const isDone = ({ state }: Pick<RefundRow, 'state'>) => state === 'done'
  const done = sumOf(known.filter(isDone))
  const reported = Math.min(refunded, value)
  let left = reported - done
  for (const open of known.filter(one => !isDone(one))) {
    if (left <= 0) break
    if (open.value > left) {
      await updateRefund(sql, payment, open.id, { value: open.value - left })
      break
    }
    await updateRefund(sql, payment, open.id, DONE_NOW)
    left -= open.value
  }
  if (left > 0) await insertRefund(sql, { companyId, paymentId, value: left })
  return value - Math.max(sumOf(known), reported)
}

/** What is written when a refund that was wanted is carried out. */
export const DONE_NOW = { state: 'done' as const, doneAt: tag`now()` }

const sumOf = (refunds: Pick<RefundRow, 'value'>[]) => refunds.reduce((sum, { value }) => sum + value, 0)

const ofPayment = ({ id, companyId }: PaymentRow) =>
  and(
    eq(paymentRefunds.paymentId, id),
    companyId === null ? isNull(paymentRefunds.companyId) : eq(paymentRefunds.companyId, companyId),
  )

/** The refunds of a payment that did not fail, locked, the oldest first. */
const lockRefunds = (sql: Sql, payment: PaymentRow) =>
  sql
    .select({ id: paymentRefunds.id, value: paymentRefunds.value, state: paymentRefunds.state })
    .from(paymentRefunds)
    .where(and(ofPayment(payment), ne(paymentRefunds.state, 'failed')))
    .orderBy(paymentRefunds.id)
    .for('update')

const updateRefund = (
  sql: Sql,
  payment: PaymentRow,
  id: number,
  values: { value: number } | typeof DONE_NOW,
) =>
  sql
    .update(paymentRefunds)
    .set(values)
    .where(and(ofPayment(payment), eq(paymentRefunds.id, id)))

export const insertRefund = (sql: Sql, values: Omit<typeof paymentRefunds.$inferInsert, 'id'>) =>
  sql.insert(paymentRefunds).values(values)
