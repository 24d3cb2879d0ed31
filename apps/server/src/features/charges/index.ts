import { isPaid } from '@balcao/contract/invoices.rules.ts'
import { within } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { invoiceLeaving, invoiceWritten } from '../invoices/invoices.events.ts'
import { chargesDue, insertCharge, leavingCharges, moveCharge } from './charges.queries.ts'
import { asaasWebhook } from './charges.webhook.routes.ts'
import { runCharges } from './charges.worker.ts'

export const charges: Feature = {
  name: 'charges',
  routes: [asaasWebhook],
  reacts: [
    within(invoiceWritten, async (tx, { invoice, isNew }) => {
      const { id, paymentLink } = invoice
      if (isNew && !paymentLink) await insertCharge(tx, id)
      if (!isNew && isPaid(invoice)) await moveCharge(tx, id, ['wanted', 'open'], 'unwanted')
      // a payment was undone
      if (!isNew && !isPaid(invoice)) await moveCharge(tx, id, ['unwanted', 'over', 'paid'], 'wanted')
    }),
    within(invoiceLeaving, async (tx, { invoiceId }) => {
      await moveCharge(tx, invoiceId, ['wanted', 'open'], 'unwanted')
    }),
  ],
  jobs: [due('charges', runCharges, leavingCharges, sql => chargesDue(sql, 1))],
}
