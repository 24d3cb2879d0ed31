import type { PlatformScope } from '../../platform/scope.ts'
import { bookFormer } from '../clients/clients.former.queries.ts'
import { applyCredit } from './invoices.credit.actions.ts'
import { holdSubscription } from './invoices.hold.actions.ts'
import { type ReceivedMoney, recordProviderPayment, recordRefunds } from './invoices.ledger.actions.ts'
import { bookRefunds } from './invoices.refunds.queries.ts'
import type { InvoiceWriting } from './invoices.settle.actions.ts'
import { holdUnknownPayment, lockReported, updateUnknown } from './invoices.unknown.queries.ts'

/**
 * Records money that names one of our charges, of which nothing is known here any more, or the cents that were given back of it
 * by now: what is left waits for a master, until he names its company. Of a payment whose company was deleted only what was given
 * back is recorded, without a company. Idempotent.
 */
export async function recordUnknownMoney(
  platform: PlatformScope,
  billing: InvoiceWriting,
  money: ReceivedMoney,
  { refunded, isLost, zone }: { refunded: number; isLost?: boolean | undefined; zone: string },
): Promise<void> {
  const companyId = await platform.transaction(async sql => {
    // waits for the commit that deletes its company, which writes the copies
    const known = await lockReported(sql, money)
    if (!known && (await bookFormer(sql, { ...money, refunded, zone }))) return null
    const payment = known ?? (await holdUnknownPayment(sql, money))
    if (payment.companyId !== null) return payment.companyId
    if (money.status === 'RECEIVED') await updateUnknown(sql, payment.id, { status: 'RECEIVED' })
    const left = await bookRefunds(sql, payment, refunded)
    if (left === 0) await updateUnknown(sql, payment.id, { review: null })
    return null
  })
  // a master gave it to a company meanwhile
  if (companyId !== null)
    await platform.inCompany(companyId).transaction(async tx => {
      await holdSubscription(tx)
      const payment = await recordProviderPayment(tx, billing, null, money)
      if (payment) await recordRefunds(tx, billing, payment, { refunded, isLost })
      await applyCredit(tx, billing)
    })
}
