import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { type PlatformReason, periodPriceOf, restOf } from '@balcao/contract/ledger.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { readSubscription, updateSubscription } from '../subscriptions/subscriptions.queries.ts'
import { applyCredit, endPeriodEarly } from './invoices.credit.actions.ts'
import { reopenInvoice } from './invoices.ledger.actions.ts'
import { setReview } from './invoices.ledger.queries.ts'
import { type InvoiceRow, lockInvoice, updateInvoice } from './invoices.queries.ts'
import { answerReturn, keptReturns, type ReturnRow, returnsOf } from './invoices.returns.queries.ts'
import type { InvoiceWriting } from './invoices.settle.actions.ts'

// Every caller holds the subscription of the company (holdSubscription).

/**
 * A master names what a provider gave back of a payment: a gift, of which the invoice asks for less as it does already, or a reversal,
 * by which it is owed again. Refuses with ERR_NOT_FOUND where nothing waits, and a reversal with ERR_INVOICE_CANCELLED where a master
 * cancelled the invoice since.
 */
export async function answerReturns(
  tx: Tx,
  writing: InvoiceWriting,
  { paymentId, isGift, by }: { paymentId: number; isGift: boolean; by: string },
): Promise<void> {
  const waiting = await returnsOf(tx, paymentId)
  if (waiting.length === 0) refuse('ERR_NOT_FOUND')
  for (const one of waiting) {
    if (!isGift) await chargeAgain(tx, writing, one)
    await answerReturn(tx, one.id, { answer: isGift ? 'gift' : 'reversal', by })
  }
  await setReview(tx, paymentId, null)
  await applyCredit(tx, writing)
  tx.note('a master answers what a provider gave back', { paymentId, isGift })
}

/**
 * Undoes what `chargeLess` did when the provider reported it. One that was given back wholly asks for these cents alone: what else was
 * given back of it may be a gift. Days that it does not hold any more are not asked for, nor fine and interest, which are added anew.
 */
async function chargeAgain(tx: Tx, writing: InvoiceWriting, returned: ReturnRow): Promise<void> {
  const invoice = await lockInvoice(tx, returned.invoiceId)
  const { id, cancelledAt, cancelReason, creditedAt } = invoice
  if (cancelledAt !== null && cancelReason !== GIVEN_BACK) refuse('ERR_INVOICE_CANCELLED')
  const before = cancelledAt === null ? invoice.value : 0
  const asked = Math.min(before + returned.value, usedOf(invoice) - (await keptReturns(tx, returned)))
  const { endsOn, billedThrough } = await readSubscription(tx)
  const { releasedFrom, startInvoicePeriod: start, endInvoicePeriod: end } = invoice
  const isEnded = endsOn !== null && releasedFrom === null && end > endsOn
  if (asked <= before || (isEnded && start > endsOn)) return
  const creditedValue = invoice.creditedValue + invoice.value - asked
  await updateInvoice(tx, id, {
    ...{ value: asked, creditedValue },
    creditedAt: creditedValue > 0 ? (creditedAt ?? databaseTime()) : null,
    ...(cancelledAt !== null && { cancelledAt: null, cancelReason: '', refundedValue: 0 }),
  })
  await reopenInvoice(tx, writing, await lockInvoice(tx, id), asked - before)
  // the service ended, or will, when nothing was owed of it
  if (isEnded) await endPeriodEarly(tx, writing, await lockInvoice(tx, id), daysFrom(endsOn, 1))
  if (isEnded && end === billedThrough) await updateSubscription(tx, { billedThrough: endsOn })
}

/** The cents of an invoice, before anything of it was given back, less those of the days from which it was released. */
function usedOf(invoice: InvoiceRow): number {
  const { releasedFrom, startInvoicePeriod: start, endInvoicePeriod: end } = invoice
  const issued = invoice.value + invoice.creditedValue
  // one apart from periods holds no day from the beginning
  const isOneOff = !invoice.isAutomatic && start === end && releasedFrom === start
  if (releasedFrom === null || isOneOff) return issued
  return issued - restOf({ ...invoice, value: periodPriceOf(invoice), releasedFrom: null }, releasedFrom)
}

const GIVEN_BACK: PlatformReason = 'givenBack'
