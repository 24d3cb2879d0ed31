import type { PayloadOf } from '../../platform/events.ts'
import type { Tx } from '../../platform/scope.ts'
import type { autopayFailed } from '../autopay/autopay.events.ts'
import { invoiceOrNull } from '../invoices/invoices.queries.ts'
import { autopayEndedLetter, autopayFailedLetter } from './billingNotices.autopay.text.ts'
import { writeToPayers } from './billingNotices.suspension.actions.ts'

/** Writes to the recipients of a company that an invoice was not paid by itself, or that none will be any more. */
export async function notifyOfAutopay(
  tx: Tx,
  { kind, cause, invoiceId, problem }: PayloadOf<typeof autopayFailed>,
): Promise<void> {
  const invoice = invoiceId === null ? null : await invoiceOrNull(tx, invoiceId)
  const letter = invoice ? autopayFailedLetter({ kind, problem, invoice }) : autopayEndedLetter({ kind })
  await writeToPayers(tx, `autopay:${cause}`, letter)
}
