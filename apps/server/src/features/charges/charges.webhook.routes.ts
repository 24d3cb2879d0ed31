import { openAsaas } from '../../payments/asaas.ts'
import { EventRefused, type PaymentEvent } from '../../payments/payments.ts'
import type { Platform } from '../../platform/app.ts'
import { serveRaw } from '../../platform/http/routes.ts'
import { payeeOf } from '../invoices/invoices.actions.ts'
import { settleCharge } from './charges.actions.ts'
import { chargeNamed, keepEvent } from './charges.queries.ts'

/**
 * The provider's events of charges. It counts only 200 as received, and stops all events after fifteen other answers: so
 * events of unknown charges, and repeated ones, are answered with 200, too.
 */
export const asaasWebhook = serveRaw({
  method: 'POST',
  path: '/payments/asaas',
  summary: 'What Asaas calls about a charge: whoever does not know ASAAS_WEBHOOK_TOKEN gets 401.',
  async handle(platform, { headers, body }) {
    try {
      const event = openAsaas(platform.config, platform.outbound).readEvent(headers, body)
      if (event) await receive(platform, event)
      return { status: 200 }
    } catch (error) {
      if (!(error instanceof EventRefused)) throw error
      platform.log.warn({ reason: error.message }, 'a payment event was refused')
      return { status: error.reason === 'forged' ? 401 : 400 }
    }
  },
})

/** Idempotent: the event and its consequences are one commit. */
async function receive(
  { scopes, config }: Platform,
  { eventId, kind, ...state }: PaymentEvent,
): Promise<void> {
  const platform = scopes.platform()
  const charge = await platform.transaction(sql => chargeNamed(sql, state))
  if (!charge) return
  const { companyId, invoiceId } = charge
  await platform.inCompany(companyId).transaction(async tx => {
    if (await keepEvent(tx, { eventId, invoiceId, kind }))
      await settleCharge(tx, payeeOf(config), invoiceId, state)
  })
}
