import { z } from 'zod'
import { CancelInput } from './invoices.ts'
import { day, id, pageNumber, route } from './kit.ts'
import { REVIEW_REASONS } from './ledger.rules.ts'

/** Money that came in, or credit that was granted: each cent of it is refunded, pays an invoice, or is free. */
export const Payment = z.object({
  id: z.int(),
  /** Null: of no company that is known here. */
  companyId: z.int().nullable(),
  companyName: z.string(),
  source: z.enum(['provider', 'manual', 'credit']),
  /** Cents. */
  value: z.int(),
  valueBrl: z.string(),
  /** CONFIRMED is promised by who settles it, RECEIVED is in the account. */
  status: z.enum(['CONFIRMED', 'RECEIVED']),
  paidOn: day,
  receiptUrl: z.string(),
  /** Who collected it, and its id there; empty where no provider did. */
  provider: z.string(),
  providerId: z.string(),
  /** Who entered or granted it; empty where the provider or the platform did. */
  recordedBy: z.string(),
  /** What credit was granted for. */
  note: z.string(),
  /** Why its free cents wait for a master; null: they are the company's credit. */
  review: z.enum(REVIEW_REASONS).nullable(),
  /** Cents that are free, and that were given back or are to be. */
  freeValue: z.int(),
  refundedValue: z.int(),
  /** What the provider was asked to give back, when, and has not carried out yet; null: nothing. */
  askedRefund: z.object({ value: z.int(), at: z.iso.datetime() }).nullable(),
  /** Why the last refund failed: one of REFUND_PROBLEMS, or the provider’s words; empty where it did not. */
  refundProblem: z.string(),
  invoices: z.array(z.object({ invoiceId: z.int(), value: z.int() })),
  createdAt: z.iso.datetime(),
})
export type Payment = z.infer<typeof Payment>

/** A line of the statement of a company. Invoices are negative, payments positive; the balance is the sum of all of them. */
export const StatementLine = z.object({
  on: day,
  kind: z.enum(['invoice', 'cancelled', 'payment', 'credit', 'refund']),
  /** Of the invoice or the payment. */
  id: z.int(),
  text: z.string(),
  /** Cents, and the balance behind this line. */
  value: z.int(),
  balance: z.int(),
})
export type StatementLine = z.infer<typeof StatementLine>

const paymentId = z.object({ paymentId: id })
const companyId = z.object({ companyId: id })
const paged = z.object({ pageNumber: pageNumber.optional() })

export const payments = {
  toReview: route('GET', '/payments/review', {
    needs: 'master',
    summary:
      'Money that came twice, or for an invoice that is deleted, cancelled or unknown: it waits for a master. Also payments whose refund the provider has accepted and not carried out yet. The oldest first.',
    query: paged,
    reply: z.object({ payments: z.array(Payment), hasMore: z.boolean() }),
  }),
  assign: route('POST', '/payments/:paymentId/assign', {
    needs: 'master',
    summary:
      'Pays an invoice with the free cents of a payment; what is left becomes credit of its company. ERR_PAYMENT_COMPANY for an invoice of another company, ERR_INVOICE_NOT_PENDING where nothing is owed, ERR_PAYMENT_SPENT where nothing is free.',
    params: paymentId,
    body: z.object({ invoiceId: id }),
    reply: Payment,
  }),
  credit: route('POST', '/payments/:paymentId/credit', {
    needs: 'master',
    summary:
      'Keeps the free cents of a payment as credit of its company, or of the named one where it has none; the next invoices are paid with it.',
    params: paymentId,
    body: z.object({ companyId: id.optional() }),
    reply: Payment,
  }),
  refund: route('POST', '/payments/:paymentId/refund', {
    needs: 'master',
    summary:
      'Gives the free cents of a payment back: the provider is asked to; of a manual one it says that the operator did. Of a payment of the provider all that is left is given back: ERR_PAYMENT_IN_USE while a part pays an invoice.',
    params: paymentId,
    body: z.object({ reason: CancelInput.shape.reason }),
    reply: Payment,
  }),
  statement: route('GET', '/companyStatement/:companyId', {
    needs: 'payPanel',
    summary: 'Invoices, payments, credit and refunds of a company with its balance, the newest first.',
    params: companyId,
    query: paged,
    reply: z.object({
      /** Cents: negative is owed, positive is credit. */
      balance: z.int(),
      balanceBrl: z.string(),
      lines: z.array(StatementLine),
      hasMore: z.boolean(),
    }),
  }),
}
