import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { UnchargedReason } from '@balcao/contract/ledger.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { type ChargeState, dayInBrazil } from '../../payments/payments.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { keepCard, type SealedCard } from '../autopay/autopay.actions.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { isPayable, markInvoice } from '../invoices/invoices.actions.ts'
import { applyCredit } from '../invoices/invoices.credit.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import {
  isMoney,
  recordProviderPayment,
  recordRefunds,
  undoProviderPayment,
} from '../invoices/invoices.ledger.actions.ts'
import { type InvoiceRow, invoiceOrNull, lockInvoice } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { recordUnknownMoney } from '../invoices/invoices.unknown.actions.ts'
import { scheduleCards } from './charges.cards.queries.ts'
import {
  type ChargeRow,
  chargesOf,
  giveUpCharges,
  insertCharge,
  lockCharge,
  tryChargeNow,
  updateCharge,
} from './charges.queries.ts'
import { centsGivenBack, isAwaited, isOfMoney } from './charges.rules.ts'

/** What a provider says of a charge, by its id there. */
export type ReportedCharge = ChargeState & { chargeId: string }

/**
 * Applies the provider's state of a charge, received or queried, to its payment and its invoice; never backwards. It may come
 * twice and in any order: a received payment does not become confirmed again, a refund is not undone by a late payment
 * event. False where the charge is gone, since its company is being deleted.
 */
export async function settleCharge(
  tx: Tx,
  billing: InvoiceWriting,
  reference: string,
  state: ReportedCharge,
  /** Not stated: whether it can be kept is not known here. */
  card?: SealedCard | null,
): Promise<boolean> {
  await holdSubscription(tx)
  const charge = await lockCharge(tx, reference)
  if (!charge) return false
  const invoice = await invoiceOrNull(tx, charge.invoiceId)
  const { status } = state
  if (isOfMoney(state)) {
    await followCard(tx, charge, state, card)
    await settleMoney(tx, billing, { charge, invoice }, state)
  }
  if (status === 'UNDONE') await undoMoney(tx, billing, charge, state.chargeId)
  // another one of the same reference may be cancelled, which a worker made whose lease had ended
  const isIt = charge.state === 'open' && charge.chargeId === state.chargeId
  if ((status === 'GONE' || status === 'EXPIRED') && isIt)
    await endCharge(tx, billing.payee, { charge, invoice }, status)
  if (isAwaited(state) && charge.state === 'removed') await restoreCharge(tx, charge, invoice)
  return true
}

/** The card of a new payment is kept, where the company wants that. */
async function followCard(tx: Tx, charge: ChargeRow, { isByCard }: ReportedCharge, card?: SealedCard | null) {
  // a later event of an earlier payment names the card of that time
  const isNew = charge.state !== 'paid' && charge.state !== 'refunded'
  if (!isNew || card === undefined || !(card || isByCard)) return
  if (await keepCard(tx, charge.provider, card)) await scheduleCards(tx)
}

/** The invoice gets a charge that is paid by its page, by the means of its own. Locks as `holdSubscription`. */
export async function replaceCharge(tx: Tx, invoiceId: number): Promise<void> {
  await giveUpCharges(tx, invoiceId)
  await insertCharge(tx, invoiceId, { isOrdinary: true })
}

/** Money for a charge of this installation whose company was deleted, or is missing in a restored backup. */
export async function recordUnknown(
  platform: PlatformScope,
  billing: InvoiceWriting,
  reported: ReportedCharge & { provider: CollectorName; zone: string },
): Promise<void> {
  const { provider, zone, status, value, chargeId: providerId, payDate, receiptUrl } = reported
  if (!isOfMoney(reported) || !isMoney(value)) return
  const money = {
    ...{ provider, providerId, value, receiptUrl },
    ...{ status: status === 'CONFIRMED' ? status : ('RECEIVED' as const) },
    paidOn: payDate ?? dayInBrazil(billing.now),
  }
  const { isLost } = reported
  const refunded = centsGivenBack(reported) ?? 0
  await recordUnknownMoney(platform, billing, money, { refunded, isLost, zone })
}

/** It cannot be paid any more. One that expired is followed by another; one that was removed in the panel is not. */
async function endCharge(
  tx: Tx,
  payee: PixPayee | null,
  { charge, invoice }: { charge: ChargeRow; invoice: InvoiceRow | null },
  status: 'GONE' | 'EXPIRED',
): Promise<void> {
  const isExpired = status === 'EXPIRED'
  await updateCharge(tx, charge.reference, { state: isExpired ? 'over' : 'removed' })
  const paymentProblem: UnchargedReason = 'removed'
  if (invoice)
    await markInvoice(tx, payee, invoice.id, {
      paymentLink: '',
      ...(!isExpired && isPayable(invoice) && { paymentProblem }),
    })
  if (isExpired && isPayable(invoice)) await insertCharge(tx, charge.invoiceId)
  tx.note('a charge ended at the provider', { invoiceId: charge.invoiceId, status })
}

async function settleMoney(
  tx: Tx,
  billing: InvoiceWriting,
  { charge, invoice }: { charge: ChargeRow; invoice: InvoiceRow | null },
  { status, payDate, receiptUrl, chargeId, value, refundedValue, isLost }: ReportedCharge,
): Promise<void> {
  const { invoiceId, reference } = charge
  const isRefunded = status === 'REFUNDED'
  // the event may come before the answer that names the charge; two of one reference are two payments
  const isIt = charge.chargeId === null || charge.chargeId === chargeId
  const cents = value ?? (isIt ? (charge.value ?? invoice?.value ?? null) : null)
  if (!isMoney(cents)) return tx.note('the provider reported no sum', { invoiceId, chargeId, status })
  if (isIt && charge.state !== 'refunded')
    await updateCharge(tx, reference, { chargeId, state: isRefunded ? 'refunded' : 'paid' })
  const paidOn = payDate ?? (await dayThere(tx, billing.now))
  const payment = await recordProviderPayment(tx, billing, invoice, {
    ...{ provider: charge.provider, providerId: chargeId, value: cents, paidOn, receiptUrl },
    status: status === 'CONFIRMED' ? status : 'RECEIVED',
  })
  if (!payment) return tx.note('the provider reported money of another company', { invoiceId, chargeId })
  await recordRefunds(tx, billing, payment, {
    ...{ refunded: isRefunded ? payment.value : (refundedValue ?? 0), isLost },
  })
  // what is owed again may be paid by credit
  await applyCredit(tx, billing)
  tx.note('the provider reported a payment', { invoiceId, status })
}

/** It was marked as paid in the panel, and is not: what it paid is owed again, and it may be paid there as before. */
async function undoMoney(tx: Tx, billing: InvoiceWriting, charge: ChargeRow, chargeId: string) {
  const { invoiceId, reference, provider } = charge
  if (charge.chargeId === chargeId && charge.state === 'paid') {
    const isOnly = (await chargesOf(tx, invoiceId)).current === null
    await updateCharge(tx, reference, {
      ...{ state: isOnly ? 'open' : 'unwanted', dueAt: fromNow(0), attempts: 0 },
    })
  }
  await undoProviderPayment(tx, billing, { provider, providerId: chargeId })
  if (!isPayable(await invoiceOrNull(tx, invoiceId))) await giveUpCharges(tx, invoiceId)
  await applyCredit(tx, billing)
  tx.note('the provider took a payment back', { invoiceId, chargeId })
}

/** It was restored at the provider: its address is queried; where another one can be paid by now it is cancelled. */
async function restoreCharge(tx: Tx, charge: ChargeRow, invoice: InvoiceRow | null) {
  const { reference, invoiceId, value } = charge
  const asksRight = isPayable(invoice) && (value ?? invoice.value) === invoice.value - invoice.paidValue
  const isWanted = asksRight && (await chargesOf(tx, invoiceId)).current === null
  await updateCharge(tx, reference, {
    ...{ state: isWanted ? 'wanted' : 'unwanted', dueAt: fromNow(0), attempts: 0 },
  })
}

/** The page of a charge that was paid is none any more; one that the operator named himself stays. */
export async function dropPaidPage(tx: Tx, payee: PixPayee | null, invoiceId: number): Promise<void> {
  if ((await chargesOf(tx, invoiceId)).hadOne) await markInvoice(tx, payee, invoiceId, { paymentLink: '' })
}

/** Makes the charges of an invoice follow it: one that can be paid, of what is owed, while something is. */
export async function followInvoice(
  tx: Tx,
  invoice: InvoiceRow,
  { isNew }: { isNew: boolean },
): Promise<void> {
  const { id, paymentLink } = invoice
  if (isNew) {
    // another place to pay was named
    if (!paymentLink && isPayable(invoice)) await insertCharge(tx, id)
    return
  }
  const { current, hadOne } = await chargesOf(tx, id)
  // those of earlier versions ask for the whole
  const asked = current?.value ?? invoice.value
  const isWrong = current?.state === 'open' && asked !== invoice.value - invoice.paidValue
  if (!isPayable(invoice) || isWrong) await giveUpCharges(tx, id)
  if (isPayable(invoice) && hadOne && (current === null || isWrong)) await insertCharge(tx, id)
}

/**
 * Asks the provider at once for what is owed, after it refused or its charge was removed. Refuses with ERR_NOT_FOUND,
 * ERR_INVOICE_NOT_PENDING.
 */
export async function askAgain(tx: Tx, payee: PixPayee | null, invoiceId: number): Promise<void> {
  await holdSubscription(tx)
  const invoice = await lockInvoice(tx, invoiceId)
  if (!isPayable(invoice)) refuse('ERR_INVOICE_NOT_PENDING')
  const { current, hadOne } = await chargesOf(tx, invoiceId)
  if (current?.state === 'wanted') await tryChargeNow(tx, invoiceId)
  if (current === null && (hadOne || !invoice.paymentLink)) await insertCharge(tx, invoiceId)
  await markInvoice(tx, payee, invoiceId, { paymentProblem: '' })
}
