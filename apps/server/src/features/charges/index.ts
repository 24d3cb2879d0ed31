import { isPaid } from '@balcao/contract/invoices.rules.ts'
import { due } from '../../platform/due.ts'
import { within } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { invoiceLeaving, invoiceWritten } from '../invoices/invoices.events.ts'
import { insertCharge, moveCharge } from './charges.queries.ts'
import { runCharges } from './charges.run.ts'
import { asaasWebhook } from './charges.webhook.ts'

export const charges: Feature = {
  name: 'charges',
  raw: [asaasWebhook],
  reacts: [
    within(invoiceWritten, async (tx, { invoice, isNew }) => {
      const { id, paymentLink } = invoice
      if (isNew && !paymentLink) await insertCharge(tx, id)
      if (!isNew && isPaid(invoice)) await moveCharge(tx, id, ['wanted', 'open'], 'unwanted')
      // a payment was taken back
      if (!isNew && !isPaid(invoice)) await moveCharge(tx, id, ['unwanted', 'over', 'paid'], 'wanted')
    }),
    within(invoiceLeaving, async (tx, { invoiceId }) => {
      await moveCharge(tx, invoiceId, ['wanted', 'open'], 'unwanted')
    }),
  ],
  due: [due('charges', tools => runCharges(tools))],
}
