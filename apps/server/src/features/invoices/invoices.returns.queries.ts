import { databaseTime } from '../../platform/clock.ts'
import { and, eq, isNull } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { paymentReturns } from './invoices.returns.table.ts'

export const insertReturn = (tx: Tx, of: { paymentId: number; invoiceId: number; value: number }) =>
  tx.sql.insert(paymentReturns).values({ ...of, companyId: tx.companyId })

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

export const answerReturn = (
  tx: Tx,
  id: number,
  { answer, by }: { answer: 'gift' | 'reversal'; by: string },
) =>
  tx.sql
    .update(paymentReturns)
    .set({ answer, answeredBy: by, answeredAt: databaseTime() })
    .where(and(eq(paymentReturns.companyId, tx.companyId), eq(paymentReturns.id, id)))
