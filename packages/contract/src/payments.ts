import { z } from 'zod'
import { CollectorName } from './collectors.ts'
import { amount, CancelInput } from './invoices.ts'
import { day, id, pageNumber, requestId, route } from './kit.ts'
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
  /**
   * What is to be given back and is not yet, and since when; null: nothing. `isAccepted`: the provider accepted it; else it did not
   * answer yet.
   */
  askedRefund: z.object({ value: z.int(), at: z.iso.datetime(), isAccepted: z.boolean() }).nullable(),
  /** Cents that the provider gave back of invoices without being asked here, until a master answers whether they were a gift. */
  returnedValue: z.int(),
  /** Why the last refund failed: one of REFUND_PROBLEMS, or the provider’s words; empty where it did not. */
  refundProblem: z.string(),
  invoices: z.array(z.object({ invoiceId: z.int(), value: z.int() })),
  createdAt: z.iso.datetime(),
})
export type Payment = z.infer<typeof Payment>

/** A line of the statement of a company. Invoices are negative, payments positive; the balance is the sum of all of them. */
export const StatementLine = z.object({
  on: day,
  /**
   * reduced: an invoice costs less than was issued. gift: so much of it was given back, and is not owed again; returned: the same, and a
   * master is to answer. late: fine and interest that were paid with it.
   */
  kind: z.enum([
    ...(['invoice', 'cancelled', 'reduced', 'gift', 'returned', 'late'] as const),
    ...(['payment', 'credit', 'refund'] as const),
  ]),
  /** Of the invoice or the payment. */
  id: z.int(),
  text: z.string(),
  /** Cents, and the balance behind this line. */
  value: z.int(),
  balance: z.int(),
})
export type StatementLine = z.infer<typeof StatementLine>

/** What a provider says beside the state of a charge. */
export const NEWS_KINDS = [
  /** The platform does not know what it means. */
  'unknown',
  /** The payer or his bank disputes a payment. */
  'dispute',
  /** What was to be paid was refused. */
  'refused',
  /** A charge was changed in the panel. */
  'changed',
  /** The account or its key. */
  'account',
  'fiscalNote',
] as const
export type NewsKind = (typeof NEWS_KINDS)[number]

/** What a provider says that a master reads, the same of one charge once. */
export const ProviderNews = z.object({
  id: z.int(),
  provider: CollectorName,
  kind: z.enum(NEWS_KINDS),
  /** As the provider calls it. */
  event: z.string(),
  /** The charge that it is about, else what the provider names; may be empty. */
  subject: z.string(),
  /** The provider’s words; may be empty. */
  detail: z.string(),
  /** Empty where the charge is of no company here. */
  companyName: z.string(),
  /** How often it was reported, and when last. */
  times: z.int(),
  at: z.iso.datetime(),
})
export type ProviderNews = z.infer<typeof ProviderNews>

/** What is given back, and why; without a value all of it. */
const Refund = z.object({
  reason: CancelInput.shape.reason,
  valueBrl: amount('Valor como 1.234,50').optional(),
  requestId,
})

/** What is given back of an invoice: `isGift`, or it is owed again. */
export const InvoiceRefundInput = Refund.extend({ isGift: z.boolean() })

const paymentId = z.object({ paymentId: id })
const companyId = z.object({ companyId: id })
const paged = z.object({ pageNumber: pageNumber.optional() })

export const payments = {
  toReview: route('GET', '/payments/review', {
    needs: 'master',
    summary:
      'Money that came twice, or for an invoice that is deleted, cancelled or unknown: it waits for a master. Also payments whose refund the provider has not carried out yet. The oldest first.',
    query: paged,
    reply: z.object({ payments: z.array(Payment), hasMore: z.boolean() }),
  }),
  news: route('GET', '/payments/news', {
    needs: 'master',
    summary:
      'What payment providers say beside the state of charges and no master has read yet: disputes, refused cards, charges that were changed in the panel, and what the platform does not know. The newest first.',
    query: paged,
    reply: z.object({ news: z.array(ProviderNews), hasMore: z.boolean() }),
  }),
  readNews: route('PUT', '/payments/news/:newsId', {
    needs: 'master',
    summary: 'A master has read what a provider said; said again, it is shown again.',
    params: z.object({ newsId: id }),
  }),
  credits: route('GET', '/payments/credit/:companyId', {
    needs: 'master',
    summary:
      'The credit of a company: its payments of which cents are free and wait for no master, the oldest first.',
    params: companyId,
    query: paged,
    reply: z.object({ payments: z.array(Payment), hasMore: z.boolean() }),
  }),
  undo: route('DELETE', '/payments/:paymentId', {
    needs: 'master',
    summary:
      'Takes back a payment that was entered by hand: what it paid is owed again. ERR_PAYMENT_OF_PROVIDER for any other, ERR_PAYMENT_SPENT where a part of it was given back.',
    params: paymentId,
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
      'Gives the free cents of a payment back, or a part of them: the provider is asked to; of a manual one it says that the operator did. ERR_PAYMENT_SPENT where fewer are free.',
    params: paymentId,
    body: Refund,
    reply: Payment,
  }),
  answer: route('POST', '/payments/:paymentId/returned', {
    needs: 'master',
    summary:
      'Answers what a provider gave back of a payment without being asked here: `isGift`, of which its invoices ask for less, as they do already; else they are owed again. ERR_NOT_FOUND where nothing waits, ERR_INVOICE_CANCELLED where such an invoice was cancelled since.',
    params: paymentId,
    body: z.object({ isGift: z.boolean(), requestId }),
    reply: Payment,
  }),
  applyCredit: route('POST', '/payments/credit/:companyId/apply', {
    needs: 'master',
    summary:
      'Pays an open invoice of a company with all its free credit, as far as it owes; once for each `requestId`. ERR_INVOICE_NOT_PENDING where nothing is owed, ERR_NOT_FOUND for an invoice of another company, ERR_PAYMENT_SPENT where no credit is free.',
    params: companyId,
    body: z.object({ invoiceId: id, requestId }),
    reply: z.object({ used: z.int(), usedBrl: z.string() }),
  }),
  refundInvoice: route('POST', '/invoice/:invoiceId/refund', {
    needs: 'master',
    summary:
      'Gives back what was paid of an invoice, or a part of it, of its newest payments first: the provider is asked to; of a manual payment it says that the operator did. `isGift`: the invoice asks for so much less; else it is owed again. ERR_INVOICE_CANCELLED, and ERR_PAYMENT_SPENT where less was paid.',
    params: z.object({ invoiceId: id }),
    body: InvoiceRefundInput,
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
