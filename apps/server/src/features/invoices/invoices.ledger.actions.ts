import { daysFrom, isOwed } from '@balcao/contract/invoices.rules.ts'
import type { ReviewReason } from '@balcao/contract/ledger.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { invoiceReopening } from './invoices.events.ts'
import {
  allocate,
  freeValue,
  insertPayment,
  invoicesPaidBy,
  type PaymentRow,
  paymentOfProvider,
  paymentsOfInvoice,
  setReview,
  updatePayment,
  withdrawFromNewest,
  withdrawPayment,
} from './invoices.ledger.queries.ts'
import { type InvoiceRow, lockInvoice } from './invoices.queries.ts'
import { bookRefunds } from './invoices.refunds.queries.ts'
import { type InvoiceWriting, settleInvoice } from './invoices.settle.actions.ts'

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

/**
 * Records a payment that a provider reports, once, and pays the invoice with it. What the invoice does not owe, and what
 * belongs to an invoice that is deleted or cancelled, waits for a master. Null where another company has this payment.
 */
export async function recordProviderPayment(
  tx: Tx,
  billing: InvoiceWriting,
  invoice: InvoiceRow | null,
  money: ReceivedMoney,
): Promise<PaymentRow | null> {
  const known = await paymentOfProvider(tx, money.provider, money.providerId)
  if (known) return advance(tx, billing, known, money)
  const payment = await insertPayment(tx, { ...money, source: 'provider' })
  if (!payment) return null
  const owed = invoice && isOwed(invoice) ? invoice.value - invoice.paidValue : 0
  const value = Math.min(owed, money.value)
  if (value < money.value) await setReview(tx, payment.id, reasonFor(invoice))
  if (invoice && value > 0) {
    await allocate(tx, { paymentId: payment.id, invoiceId: invoice.id, value })
    await settleInvoice(tx, invoice.id, billing)
  }
  return payment
}

const reasonFor = (invoice: InvoiceRow | null): ReviewReason =>
  invoice === null ? 'deleted' : invoice.status === 'CANCELLED' ? 'cancelled' : 'twice'

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
 * the invoices that it paid last: they are owed again by it, due in some days, and their reminders begin anew. Idempotent; a lower
 * sum than before changes nothing.
 */
export async function recordRefunds(
  tx: Tx,
  billing: InvoiceWriting,
  payment: PaymentRow,
  refunded: number,
): Promise<void> {
  await bookRefunds(tx.sql, payment, refunded)
  const free = await freeValue(tx, payment.id)
  if (free <= 0) await setReview(tx, payment.id, null)
  if (free >= 0) return
  for (const { invoiceId, value } of await withdrawFromNewest(tx, { paymentId: payment.id, value: -free }))
    await reopen(tx, billing, await lockInvoice(tx, invoiceId), value)
}

async function reopen(tx: Tx, billing: InvoiceWriting, invoice: InvoiceRow, value: number): Promise<void> {
  await tx.involve(invoiceReopening, { invoiceId: invoice.id, payee: billing.payee })
  const again = daysFrom(await dayThere(tx, billing.now), DAYS_AFTER_REFUND)
  await settleInvoice(tx, invoice.id, billing, {
    refundedValue: invoice.refundedValue + value,
    round: invoice.round + 1,
    ...(invoice.dueDate < again && { dueDate: again }),
  })
}

interface ManualPayment {
  paidOn: string
  status: 'CONFIRMED' | 'RECEIVED'
  receiptUrl: string
  /** Null: all that is owed. */
  value: number | null
  recordedBy: string
}

/**
 * Records a payment that a master enters. Entered again without a value, the day and the receipt of the last one change. Refuses
 * with ERR_PAYMENT_OF_PROVIDER where a provider or credit paid it.
 */
export async function recordManualPayment(tx: Tx, invoice: InvoiceRow, { value, ...entered }: ManualPayment) {
  const owed = isOwed(invoice) ? invoice.value - invoice.paidValue : 0
  if (value === null && owed === 0) {
    const manual = (await paymentsOfInvoice(tx, invoice.id)).findLast(
      ({ payment }) => payment.source === 'manual',
    )
    if (!manual) return refuse('ERR_PAYMENT_OF_PROVIDER')
    return updatePayment(tx, manual.payment.id, entered)
  }
  const paid = value ?? owed
  const payment = (await insertPayment(tx, { ...entered, value: paid, source: 'manual' }))!
  const part = Math.min(paid, owed)
  if (part > 0) await allocate(tx, { paymentId: payment.id, invoiceId: invoice.id, value: part })
}

/**
 * Takes back what a master entered as paid of an invoice: other invoices that it paid are owed again, too. Refuses with
 * ERR_PAYMENT_OF_PROVIDER where only others paid it.
 */
export async function voidManualPayments(
  tx: Tx,
  billing: InvoiceWriting,
  invoice: InvoiceRow,
): Promise<void> {
  const paid = await paymentsOfInvoice(tx, invoice.id)
  const manual = paid.filter(({ payment }) => payment.source === 'manual')
  if (manual.length === 0 && paid.length > 0) refuse('ERR_PAYMENT_OF_PROVIDER')
  const owedAgain = new Set<number>()
  for (const { payment } of manual) {
    for (const { invoiceId } of await withdrawPayment(tx, payment.id)) owedAgain.add(invoiceId)
    await updatePayment(tx, payment.id, { voidedAt: new Date().toISOString() })
  }
  owedAgain.delete(invoice.id)
  for (const invoiceId of [...owedAgain].sort((one, other) => one - other))
    await settleInvoice(tx, invoiceId, billing)
}
