import { openAsaas } from '../../payments/asaas.ts'
import { EventRefused, type PaymentEvent } from '../../payments/payments.ts'
import type { Platform } from '../../platform/app.ts'
import type { Raw } from '../../platform/routes.ts'
import { payeeOf } from '../invoices/invoices.actions.ts'
import { chargeNamed, keepEvent } from './charges.queries.ts'
import { settleCharge } from './charges.settle.ts'

/**
 * What the provider tells of charges. It takes 200 alone for heard, and stops telling anybody after fifteen other answers:
 * so what is none of ours, and what was heard before, is answered so, too.
 */
export const asaasWebhook: Raw = {
  method: 'POST',
  path: '/payments/asaas',
  says: 'What Asaas calls about a charge: whoever does not know ASAAS_WEBHOOK_TOKEN gets 401.',
  async handle(platform, { headers, body }) {
    try {
      const event = openAsaas(platform.config, platform.outbound).readEvent(headers, body)
      if (event) await hear(platform, event)
      return { status: 200 }
    } catch (error) {
      if (!(error instanceof EventRefused)) throw error
      platform.log.warn({ reason: error.message }, 'a payment event was refused')
      return { status: error.reason === 'forged' ? 401 : 400 }
    }
  },
}

/** Once: the event and what follows from it are one commit. */
async function hear({ scopes, config }: Platform, { eventId, kind, ...told }: PaymentEvent): Promise<void> {
  const platform = scopes.platform()
  const charge = await platform.transaction(sql => chargeNamed(sql, told))
  if (!charge) return
  const { companyId, invoiceId } = charge
  await platform.inCompany(companyId).transaction(async tx => {
    if (await keepEvent(tx, { eventId, invoiceId, kind }))
      await settleCharge(tx, payeeOf(config), invoiceId, told)
  })
}
