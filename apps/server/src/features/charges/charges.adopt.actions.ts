import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { markCodePaid } from '../autopay/autopay.actions.ts'
import { waysOfCodes } from '../autopay/autopay.queries.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import type { ReportedCharge } from './charges.actions.ts'
import { insertAdopted } from './charges.queries.ts'
import { isOfMoney } from './charges.rules.ts'

/**
 * Payments of codes that authorize PIX Automático were made by the provider, without a name of ours: each becomes a charge of the invoice
 * that its code asks for. Idempotent.
 */
export async function adoptPayments(
  platform: PlatformScope,
  provider: CollectorName,
  reported: ReportedCharge[],
) {
  const paid = reported.filter(one => one.qrId && isOfMoney(one))
  if (paid.length === 0) return
  const codes = paid.map(({ qrId }) => qrId!)
  for (const way of await platform.transaction(sql => waysOfCodes(sql, provider, codes))) {
    const { companyId, id, invoiceId } = way
    const { chargeId, value } = paid.find(({ qrId }) => qrId === way.qrId)!
    if (invoiceId === null) continue
    await platform.inCompany(companyId).transaction(async tx => {
      await holdSubscription(tx)
      // an authorization is not given up since its own payment came in
      await markCodePaid(tx, id)
      await insertAdopted(tx, { invoiceId, provider, chargeId, value })
    })
  }
}
