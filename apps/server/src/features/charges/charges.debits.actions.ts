import { cut } from '@balcao/contract/cut.rules.ts'
import type { PixPayee } from '@balcao/contract/pix.rules.ts'
import { dayInBrazil } from '../../payments/payments.ts'
import { databaseDate } from '../../platform/clock.ts'
import type { PayloadOf } from '../../platform/events.ts'
import type { Tx } from '../../platform/scope.ts'
import { recordFailure } from '../autopay/autopay.actions.ts'
import type { autopayChanged } from '../autopay/autopay.events.ts'
import { UNSCHEDULED } from '../autopay/autopay.rules.ts'
import { type InvoiceWay, wayFor } from '../autopay/autopay.ways.queries.ts'
import { isPayable, markInvoice } from '../invoices/invoices.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { type InvoiceRow, invoiceOrNull } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { chargesMade, replaceOpenCharges, tryChargesNow } from './charges.cards.queries.ts'
import { type ChargeRow, giveUpCharges, insertCharge, lockCharge } from './charges.queries.ts'

/**
 * The company pays in another way: pages of its charges follow, what is open is debited once that is authorized, and what waited
 * for the day of a debit is tried now.
 */
export async function followAutopay(
  tx: Tx,
  { isCard, authorized }: PayloadOf<typeof autopayChanged>,
): Promise<void> {
  if (isCard)
    for (const { invoiceId } of await replaceOpenCharges(tx))
      if (isPayable(await invoiceOrNull(tx, invoiceId))) await insertCharge(tx, invoiceId)
  if (authorized) await debitOpen(tx, authorized)
  await tryChargesNow(tx)
}

/**
 * Charges that have a page already are made anew as debits, by the provider that collects now, but for that of the invoice whose
 * payment authorized them. Those that were refused in an earlier way are, too.
 */
async function debitOpen(
  tx: Tx,
  { authorizedByInvoice, collector, payee }: NonNullable<PayloadOf<typeof autopayChanged>['authorized']>,
): Promise<void> {
  for (const { reference, invoiceId } of await chargesMade(tx)) {
    const invoice = await invoiceOrNull(tx, invoiceId)
    if (invoiceId === authorizedByInvoice || !isPayable(invoice)) continue
    if (collector && (await wayOf(tx, { provider: collector, isOrdinary: false }, invoice))) {
      await giveUpCharges(tx, invoiceId)
      await insertCharge(tx, invoiceId)
    } else await recordUnscheduled(tx, payee, { reference, invoiceId })
  }
}

/** How a charge is paid by itself at its provider; null: by its page alone. */
export async function wayOf(
  tx: Tx,
  { provider, isOrdinary }: Pick<ChargeRow, 'provider' | 'isOrdinary'>,
  invoice: InvoiceRow,
): Promise<InvoiceWay | null> {
  const way = isOrdinary ? null : await wayFor(tx, invoice, dayInBrazil(databaseDate()))
  return way?.provider === provider ? way : null
}

/** Nothing debits it: where automatic payment is active, who pays has to know. */
export async function recordUnscheduled(
  tx: Tx,
  payee: PixPayee | null,
  { reference, invoiceId }: Pick<ChargeRow, 'reference' | 'invoiceId'>,
): Promise<void> {
  if (await recordFailure(tx, { cause: `${reference}:page`, invoiceId, problem: UNSCHEDULED }))
    await markInvoice(tx, payee, invoiceId, { paymentProblem: UNSCHEDULED })
}

/** A debit does not come: who pays is written to, where it was awaited. */
export async function refuseDebit(
  tx: Tx,
  billing: Pick<InvoiceWriting, 'payee'>,
  { reference, cause, reason }: { reference: string; cause: string; reason: string },
): Promise<void> {
  await holdSubscription(tx)
  const charge = await lockCharge(tx, reference)
  const invoice = charge && (await invoiceOrNull(tx, charge.invoiceId))
  if (charge?.state !== 'open' || !isPayable(invoice)) return
  const problem = cut(reason, 300)
  if (await recordFailure(tx, { cause, invoiceId: invoice.id, problem }))
    await markInvoice(tx, billing.payee, invoice.id, { paymentProblem: problem })
}
