import { databaseTime } from '../../platform/clock.ts'
import { and, eq, isNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { paymentReturns } from './invoices.returns.table.ts'

export type ReturnRow = typeof paymentReturns.$inferSelect

interface Returned {
  paymentId: number
  invoiceId: number
  value: number
}

/** It waits for an answer. */
export const insertReturn = (tx: Tx, of: Returned) =>
  tx.sql.insert(paymentReturns).values({ ...of, companyId: tx.companyId })

/** A master gave it back as a gift: the answer is known. */
export const insertGift = (tx: Tx, { by, ...of }: Returned & { by: string }) =>
  tx.sql.insert(paymentReturns).values({
    ...{ ...of, companyId: tx.companyId },
    ...{ answer: 'gift' as const, answeredBy: by, answeredAt: databaseTime() },
  })

/** What waits for an answer of a payment, the oldest first; locked. */
export const returnsOf = (tx: Tx, paymentId: number) =>
  tx.sql
    .select()
    .from(paymentReturns)
    .where(
      and(
        eq(paymentReturns.companyId, tx.companyId),
        eq(paymentReturns.paymentId, paymentId),
        isNull(paymentReturns.answer),
      ),
    )
    .orderBy(paymentReturns.id)
    .for('update')

/** The cents that were given back of the invoice of a return beside it, and are not owed again. */
export async function keptReturns(tx: Tx, { id, invoiceId }: ReturnRow): Promise<number> {
  const [row] = await rowsFrom<{ value: number }>(
    tx.sql,
    tag`select coalesce(sum(value), 0)::int as value from payment_returns where company_id = ${tx.companyId}
      and invoice_id = ${invoiceId} and id <> ${id} and answer is distinct from 'reversal'`,
  )
  return row!.value
}

/** Payments of which nothing else waits for an answer than what they paid of an invoice that is deleted wait no more. */
export const dropReturnsOf = (tx: Tx, invoiceId: number) =>
  tx.sql.execute(tag`update payments p set review = null where p.company_id = ${tx.companyId} and p.review = 'returned'
    and exists (select from payment_returns r where r.company_id = p.company_id and r.payment_id = p.id
      and r.answer is null and r.invoice_id = ${invoiceId})
    and not exists (select from payment_returns r where r.company_id = p.company_id and r.payment_id = p.id
      and r.answer is null and r.invoice_id <> ${invoiceId})`)

export const answerReturn = (
  tx: Tx,
  id: number,
  { answer, by }: { answer: 'gift' | 'reversal'; by: string },
) =>
  tx.sql
    .update(paymentReturns)
    .set({ answer, answeredBy: by, answeredAt: databaseTime() })
    .where(and(eq(paymentReturns.companyId, tx.companyId), eq(paymentReturns.id, id)))
