import { refuse } from '../../platform/errors.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { once, type Requested } from '../companies/companies.requests.queries.ts'
import { isPayable } from '../invoices/invoices.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { companyOfPayment, creditOf } from '../invoices/invoices.ledger.queries.ts'
import { lockInvoice } from '../invoices/invoices.queries.ts'
import { answerReturns } from '../invoices/invoices.returns.actions.ts'
import { type InvoiceWriting, payWithCredit, settleInvoice } from '../invoices/invoices.settle.actions.ts'

/**
 * Pays an invoice of a company with its free credit, once for each request. Answers the cents that were used. Refuses with
 * ERR_NOT_FOUND, ERR_INVOICE_NOT_PENDING, ERR_PAYMENT_SPENT.
 */
export const applyCreditTo = (
  platform: PlatformScope,
  writing: InvoiceWriting,
  { companyId, ...asked }: Requested & { companyId: number; invoiceId: number },
): Promise<number> =>
  platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    return once(tx, asked, async () => {
      const invoice = await lockInvoice(tx, asked.invoiceId)
      if (!isPayable(invoice)) refuse('ERR_INVOICE_NOT_PENDING')
      const used = await payWithCredit(tx, invoice, await creditOf(tx))
      if (used === 0) refuse('ERR_PAYMENT_SPENT')
      await settleInvoice(tx, invoice.id, writing)
      tx.note('a master pays an invoice with credit', { invoiceId: invoice.id, used })
      return used
    })
  })

/** Names what a provider gave back unasked, once for each request. Refuses as `answerReturns`. */
export async function answerReturned(
  platform: PlatformScope,
  writing: InvoiceWriting,
  asked: Requested & { paymentId: number; isGift: boolean; by: string },
): Promise<void> {
  const companyId = await platform.transaction(sql => companyOfPayment(sql, asked.paymentId))
  if (companyId === null) return refuse('ERR_NOT_FOUND')
  await platform.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    await once(tx, asked, async () => {
      await answerReturns(tx, writing, asked)
      return null
    })
  })
}
