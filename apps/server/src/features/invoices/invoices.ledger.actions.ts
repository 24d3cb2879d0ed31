import { daysFrom, isOwed } from '@balcao/contract/invoices.rules.ts'
import type { PlatformReason, ReviewReason } from '@balcao/contract/ledger.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { chargeLess } from './invoices.credit.actions.ts'
import { endedOrderPaid, invoiceReopening } from './invoices.events.ts'
import {
  allocate,
  freeValue,
  insertPayment,
  invoicesPaidBy,
  manualPaymentsFor,
  type PaymentRow,
  paymentOfProvider,
  setReview,
  updatePayment,
  withdrawCents,
  withdrawPayment,
} from './invoices.ledger.queries.ts'
import { type InvoiceRow, lockInvoice } from './invoices.queries.ts'
import { bookRefunds } from './invoices.refunds.queries.ts'
import { insertReturn } from './invoices.returns.queries.ts'
import { addLate, type InvoiceWriting, settleInvoice } from './invoices.settle.actions.ts'
import { refundedOf } from './invoices.unknown.queries.ts'

// Every caller holds the subscription of the company (holdSubscription).

export interface ReceivedMoney {
  provider: string
  /** The provider’s id of the payment. */
  providerId: string
  /** Cents. */
  value: number
  status: 'CONFIRMED' | 'RECEIVED'
  paidOn: string
  receiptUrl: string
}

/** Whether so many cents can be recorded: a provider may report none, or nonsense. */
export const isMoney = (cents: number | null): cents is number =>
  cents !== null && Number.isInteger(cents) && cents > 0 && cents < 2 ** 31

/** A provider rounds the fine and interest that it asks for in its own way. */
const LATE_CENTS = 5

/**
 * Records a payment that a provider reports, once, and pays the invoice with it. What the invoice does not owe, and what
 * belongs to an invoice that is deleted or cancelled, waits for a master; that for an order which has ended is credit. Null where
 * another company has this payment.
 */
export async function recordProviderPayment(
  tx: Tx,
  billing: InvoiceWriting,
  invoice: InvoiceRow | null,
  money: ReceivedMoney,
): Promise<PaymentRow | null> {
  const known = await paymentOfProvider(tx, money.provider, money.providerId)
  if (known && known.voidedAt === null) return advance(tx, billing, known, money)
  const payment = known
    ? await takeUp(tx, known, money)
    : await insertPayment(tx, { ...money, source: 'provider' })
  if (!payment) return null
  const owed =
    invoice && isOwed(invoice) ? await addLate(tx, invoice, billing, { ...money, tolerance: LATE_CENTS }) : 0
  const value = Math.min(owed, money.value)
  if (invoice && isOfEndedOrder(invoice))
    await tx.involve(endedOrderPaid, { invoiceId: invoice.id, value: money.value })
  else if (value < money.value) await setReview(tx, payment.id, reasonFor(invoice))
  if (invoice && value > 0) {
    await allocate(tx, { paymentId: payment.id, invoiceId: invoice.id, value })
    await settleInvoice(tx, invoice.id, billing)
  }
  return payment
}

/** One that was taken back in the provider’s panel came in after all. */
async function takeUp(tx: Tx, payment: PaymentRow, money: ReceivedMoney): Promise<PaymentRow> {
  const values = { ...money, voidedAt: null, review: null }
  await updatePayment(tx, payment.id, values)
  return { ...payment, ...values }
}

/** What a provider reported as paid counts nowhere any more; one of which a part was given back stays. */
export async function undoProviderPayment(
  tx: Tx,
  billing: InvoiceWriting,
  { provider, providerId }: Pick<ReceivedMoney, 'provider' | 'providerId'>,
): Promise<void> {
  const payment = await paymentOfProvider(tx, provider, providerId)
  if (!payment || payment.voidedAt !== null || (await refundedOf(tx.sql, payment.id)) > 0) return
  await voidPayments(tx, billing, [payment])
}

const reasonFor = (invoice: InvoiceRow | null): ReviewReason =>
  invoice === null ? 'deleted' : invoice.status === 'CANCELLED' ? 'cancelled' : 'twice'

const ORDER_ENDED: PlatformReason = 'orderEnded'
const isOfEndedOrder = ({ cancelledAt, cancelReason }: InvoiceRow) =>
  cancelledAt !== null && cancelReason === ORDER_ENDED

/** A confirmed payment is received later; never the other way round. */
async function advance(
  tx: Tx,
  billing: InvoiceWriting,
  payment: PaymentRow,
  { status }: ReceivedMoney,
): Promise<PaymentRow> {
  if (payment.status === 'RECEIVED' || status !== 'RECEIVED') return payment
  await updatePayment(tx, payment.id, { status })
  for (const invoiceId of await invoicesPaidBy(tx, payment.id)) await settleInvoice(tx, invoiceId, billing)
  return { ...payment, status }
}

/** Days until an invoice is due again whose payment was given back. */
const DAYS_AFTER_REFUND = 5

/**
 * So many cents of a payment were given back by now, as its provider reports. What is new is taken from its free cents, then from
 * the invoices that it paid last: they ask for so much less until a master answers whether it was a gift (`answerReturns`).
 * `isLost`: they are owed again at once. Idempotent; a lower sum than before changes nothing.
 */
export async function recordRefunds(
  tx: Tx,
  billing: InvoiceWriting,
  payment: PaymentRow,
  { refunded, isLost = false }: { refunded: number; isLost?: boolean | undefined },
): Promise<void> {
  await bookRefunds(tx.sql, payment, refunded)
  const free = await freeValue(tx, payment.id)
  const withdrawn = await withdrawCents(tx, { paymentId: payment.id }, -free)
  for (const { invoiceId, value } of withdrawn) {
    const invoice = await lockInvoice(tx, invoiceId)
    if (isLost) await reopenInvoice(tx, billing, invoice, value)
    else await askWhy(tx, billing, { invoice, value, paymentId: payment.id })
  }
  if (withdrawn.length > 0 && !isLost) await setReview(tx, payment.id, 'returned')
  // what waits for an answer waits on
  else if (free <= 0 && payment.review !== 'returned') await setReview(tx, payment.id, null)
}

/** The invoice asks for so much less until a master answers. */
async function askWhy(
  tx: Tx,
  billing: InvoiceWriting,
  { invoice, value, paymentId }: { invoice: InvoiceRow; value: number; paymentId: number },
): Promise<void> {
  const reason: PlatformReason = 'givenBack'
  await chargeLess(tx, billing, { invoice, value, back: value, reason, by: '' })
  await insertReturn(tx, { paymentId, invoiceId: invoice.id, value })
}

/** An invoice is owed again by so many cents, due in some days, and its reminders begin anew. */
export async function reopenInvoice(
  tx: Tx,
  billing: InvoiceWriting,
  invoice: InvoiceRow,
  value: number,
): Promise<void> {
  await tx.involve(invoiceReopening, { invoiceId: invoice.id, payee: billing.payee })
  const again = daysFrom(await dayThere(tx, billing.now), DAYS_AFTER_REFUND)
  await settleInvoice(tx, invoice.id, billing, {
    refundedValue: invoice.refundedValue + value,
    round: invoice.round + 1,
    ...(invoice.dueDate < again && { dueDate: again }),
    // more than a rest is owed again
    ...(invoice.paymentProblem === 'belowLeast' && { paymentProblem: '' as const }),
  })
}

interface ManualPayment {
  paidOn: string
  status: 'CONFIRMED' | 'RECEIVED'
  receiptUrl: string
  /** Null: all that is owed. */
  value: number | null
  /** The cents that were paid of the invoice as the master saw it; null: not stated. */
  seen: number | null
  recordedBy: string
}

/**
 * Records a payment that a master enters. Entered again without a value, the day and the receipt of the last one change; with the
 * value and the day of one that he had not seen, it is that one. Refuses with ERR_PAYMENT_OF_PROVIDER where a provider or credit
 * paid it, with ERR_CHANGED_MEANWHILE where something else was paid since he saw it.
 */
export async function recordManualPayment(
  tx: Tx,
  billing: InvoiceWriting,
  invoice: InvoiceRow,
  { value, seen, ...entered }: ManualPayment,
): Promise<void> {
  const owed = isOwed(invoice) ? invoice.value - invoice.paidValue : 0
  const known = await manualPaymentsFor(tx, invoice.id)
  const paid = value ?? owed
  // where nothing is owed a payment changes nothing that he could see
  const isSeen = owed > 0 && seen === invoice.paidValue
  // one that was entered for another invoice, and pays this one too, is another payment
  const own = known.filter(({ payment: { enteredFor } }) => (enteredFor ?? invoice.id) === invoice.id)
  const same =
    value === null && owed === 0
      ? (own.at(-1) ?? refuse('ERR_PAYMENT_OF_PROVIDER'))
      : own.findLast(({ payment }) => payment.value === paid && payment.paidOn === entered.paidOn)
  if (same && !isSeen) return void (await updatePayment(tx, same.payment.id, entered))
  if (seen !== null && seen !== invoice.paidValue) refuse('ERR_CHANGED_MEANWHILE', { field: 'valueBrl' })
  const due = owed > 0 ? await addLate(tx, invoice, billing, { value: paid, paidOn: entered.paidOn }) : 0
  const made = { ...entered, value: paid, source: 'manual' as const, enteredFor: invoice.id }
  const payment = (await insertPayment(tx, made))!
  const part = Math.min(paid, due)
  if (part > 0) await allocate(tx, { paymentId: payment.id, invoiceId: invoice.id, value: part })
}

/**
 * Takes back what a master entered as paid of an invoice, also what was too much: other invoices that it paid are owed again, too.
 * Refuses with ERR_PAYMENT_OF_PROVIDER where only others paid it, with ERR_PAYMENT_SPENT where a part of it was given back.
 */
export async function voidManualPayments(
  tx: Tx,
  billing: InvoiceWriting,
  invoice: InvoiceRow,
): Promise<void> {
  const manual = await manualPaymentsFor(tx, invoice.id)
  if (manual.length === 0 && invoice.paidValue > 0) refuse('ERR_PAYMENT_OF_PROVIDER')
  if (manual.some(({ refunded }) => refunded > 0)) refuse('ERR_PAYMENT_SPENT')
  await voidPayments(
    tx,
    billing,
    manual.map(({ payment }) => payment),
  )
}

/** Payments that count nowhere any more: the invoices that they paid are owed again. */
export async function voidPayments(tx: Tx, billing: InvoiceWriting, voided: PaymentRow[]): Promise<void> {
  const owedAgain = new Set<number>()
  for (const { id } of voided) {
    for (const { invoiceId } of await withdrawPayment(tx, id)) owedAgain.add(invoiceId)
    await updatePayment(tx, id, { voidedAt: databaseTime() })
  }
  for (const invoiceId of [...owedAgain].sort((one, other) => one - other))
    await settleInvoice(tx, invoiceId, billing)
}
