import type { PlatformScope } from '../../platform/scope.ts'
import { holdSubscription } from './invoices.hold.actions.ts'
import { type ReceivedMoney, recordProviderPayment, recordRefund } from './invoices.ledger.actions.ts'
import type { InvoiceWriting } from './invoices.settle.actions.ts'
import { holdUnknownPayment, refundUnknown, updateUnknown } from './invoices.unknown.queries.ts'

/**
 * Records money that names one of our charges, of which nothing is known here any more, or that it was given back: it waits for a
 * master, until he names its company. Idempotent.
 */
export async function recordUnknownMoney(
  platform: PlatformScope,
  billing: InvoiceWriting,
  money: ReceivedMoney,
  { isRefunded }: { isRefunded: boolean },
): Promise<void> {
  const companyId = await platform.transaction(async sql => {
    const payment = await holdUnknownPayment(sql, money)
    if (payment.companyId !== null) return payment.companyId
    if (money.status === 'RECEIVED') await updateUnknown(sql, payment.id, { status: 'RECEIVED' })
    if (isRefunded) await refundUnknown(sql, payment)
    return null
  })
  // a master gave it to a company meanwhile
  if (companyId !== null)
    await platform.inCompany(companyId).transaction(async tx => {
      await holdSubscription(tx)
      const payment = await recordProviderPayment(tx, billing, null, money)
      if (payment && isRefunded) await recordRefund(tx, billing, payment, '')
    })
}
