import { type PlatformReason, periodPriceOf, restOf } from '@balcao/contract/ledger.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/scope.ts'
import { creditOf, withdrawCents } from './invoices.ledger.queries.ts'
import { type InvoiceRow, openInvoices, updateInvoice } from './invoices.queries.ts'
import { type InvoiceWriting, payWithCredit, settleInvoice } from './invoices.settle.actions.ts'

// Every caller holds the subscription of the company (holdSubscription).

/** Pays what is owed with the credit of the company, the oldest invoice first. */
export async function applyCredit(tx: Tx, writing: InvoiceWriting): Promise<void> {
  const credit = await creditOf(tx)
  if (credit.length === 0) return
  for (const invoice of await openInvoices(tx)) {
    if ((await payWithCredit(tx, invoice, credit)) === 0) break
    await settleInvoice(tx, invoice.id, writing)
  }
}

/**
 * Adds to a new invoice what is left of earlier ones, each less than the payment provider charges: those owe nothing any more.
 * Answers the row as it is then.
 */
export async function carryRests(
  tx: Tx,
  writing: InvoiceWriting,
  { row, rests }: { row: InvoiceRow; rests: InvoiceRow[] },
): Promise<InvoiceRow> {
  if (rests.length === 0) return row
  const creditedAt = databaseTime()
  let carried = 0
  for (const { id, value, paidValue, creditedValue } of rests) {
    const left = value - paidValue
    carried += left
    await settleInvoice(
      tx,
      id,
      writing,
      paidValue > 0
        ? { value: paidValue, creditedValue: creditedValue + left, creditedAt }
        : { cancelledAt: creditedAt, cancelReason: 'carried' satisfies PlatformReason },
    )
  }
  return updateInvoice(tx, row.id, { value: row.value + carried, carriedValue: carried })
}

/** An invoice asks for so many cents less, of which `back` were given back; for nothing at all it is cancelled. */
export async function chargeLess(
  tx: Tx,
  writing: InvoiceWriting,
  {
    invoice,
    value,
    back,
    reason,
    by,
  }: { invoice: InvoiceRow; value: number; back: number; reason: string; by: string },
): Promise<void> {
  const at = databaseTime()
  await settleInvoice(
    tx,
    invoice.id,
    writing,
    value === invoice.value
      ? { cancelledAt: at, cancelReason: reason, cancelledBy: by, refundedValue: back }
      : { value: invoice.value - value, creditedValue: invoice.creditedValue + value, creditedAt: at },
  )
}

/** The cents of the period of an invoice that are not used up by the days before `day`. */
export const unusedOf = (invoice: InvoiceRow, day: string): number => {
  // a gift has lowered what is asked for already; a period that has begun costs a cent at least
  const asked =
    invoice.value - invoice.carriedValue - invoice.lateValue - (day > invoice.startInvoicePeriod ? 1 : 0)
  return Math.max(0, Math.min(restOf({ ...invoice, value: periodPriceOf(invoice) }, day), asked))
}

/**
 * Ends the period of an invoice on a day: it costs what was used of it. What was paid beyond that is free; nothing is free that
 * was not paid.
 */
export async function endPeriodEarly(
  tx: Tx,
  writing: InvoiceWriting,
  invoice: InvoiceRow,
  day: string,
): Promise<void> {
  const credited = unusedOf(invoice, day)
  const value = invoice.value - credited
  await withdrawCents(tx, { invoiceId: invoice.id }, invoice.paidValue - value)
  await settleInvoice(tx, invoice.id, writing, {
    ...{ value, releasedFrom: day, creditedValue: invoice.creditedValue + credited },
    ...(credited > 0 && { creditedAt: databaseTime() }),
  })
}
