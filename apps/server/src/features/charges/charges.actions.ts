import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import type { ChargeState } from '../../payments/payments.ts'
import type { Tx } from '../../platform/scope.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { markInvoice, settleInvoice } from '../invoices/invoices.actions.ts'
import { dayThere, invoiceOrNull } from '../invoices/invoices.queries.ts'
import { lockCharge, updateCharge } from './charges.queries.ts'

/**
 * Applies the provider's state of a charge, received or queried, to the invoice; never backwards. It may come twice and in
 * any order: a received payment does not become confirmed again, a refund is not undone by a late payment event. A deleted
 * invoice changes nothing.
 */
export async function settleCharge(
  tx: Tx,
  payee: PixPayee | null,
  invoiceId: number,
  { status, payDate, receiptUrl }: ChargeState,
): Promise<void> {
  // the invoice is locked first, as everywhere
  const invoice = await invoiceOrNull(tx, invoiceId)
  const charge = await lockCharge(tx, invoiceId)
  if (!invoice || !charge || charge.state === 'refunded') return
  if (status === 'CONFIRMED' || status === 'RECEIVED') {
    const isNews = !isPaid(invoice) || (invoice.status === 'CONFIRMED' && status === 'RECEIVED')
    await updateCharge(tx, invoiceId, { state: 'paid' })
    if (!isNews) return
    const day = payDate ?? (await dayThere(tx, new Date()))
    await settleInvoice(tx, payee, invoiceId, { payDate: day, status, transactionReceiptUrl: receiptUrl })
    tx.note('an invoice was paid', { invoiceId, status })
  }
  if (status === 'REFUNDED') {
    // an invoice that was marked as paid manually keeps it: this payment was another one
    const wasIts = charge.state === 'paid'
    await updateCharge(tx, invoiceId, { state: 'refunded' })
    await markInvoice(tx, payee, invoiceId, { paymentLink: '' })
    if (wasIts && isPaid(invoice))
      await settleInvoice(tx, payee, invoiceId, {
        payDate: null,
        status: 'RECEIVED',
        transactionReceiptUrl: '',
      })
    tx.note('a payment was paid back', { invoiceId })
  }
  if (status === 'GONE' && charge.state === 'open') {
    await updateCharge(tx, invoiceId, { state: 'removed' })
    await markInvoice(tx, payee, invoiceId, { paymentLink: '' })
    tx.note('a charge was removed at the provider', { invoiceId })
  }
  // it was restored at the provider: its address is queried
  if ((status === 'PENDING' || status === 'OVERDUE') && charge.state === 'removed')
    await updateCharge(tx, invoiceId, { state: 'wanted', dueAt: fromNow(0), attempts: 0 })
}
