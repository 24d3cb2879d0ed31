import { startAsaasServer } from '@balcao/asaas-server/server.ts'
import { expect } from 'vitest'
import { type ChargedCompany, type ChargeScene, chargesIn } from './charges.ts'
import { openTestApp } from './test-app.ts'

const WEBHOOK_TOKEN = 'segredo-do-webhook-com-32-caracteres'

/** The product with Asaas, which collects, and companies that pay by it. */
export async function openPayers() {
  const asaas = await startAsaasServer({ webhooks: { pauses: [0] } })
  const app = await openTestApp({
    ...{ ASAAS_URL: asaas.url, ASAAS_TOKEN: asaas.token, ASAAS_WEBHOOK_TOKEN: WEBHOOK_TOKEN },
    OUTBOUND_ALLOW: '127.0.0.1',
  })
  asaas.webhooks.tell(`${app.url}/payments/asaas`, WEBHOOK_TOKEN)
  const master = await app.as('master@balcao.test')
  const scene = chargesIn(app, master)
  const paymentOf = (paymentLink: string) => asaas.payments.find(one => one.invoiceUrl === paymentLink)!
  return {
    ...{ app, asaas, master, scene, paymentOf },
    charged: async (who: ChargedCompany, id: number) => paymentOf((await scene.charged(who, id)).paymentLink),
    statusOf: async (who: ChargedCompany, id: number) => (await who.shown(id)).status,
    /** An invoice with its charge. */
    async open(...given: Parameters<ChargeScene['open']>) {
      const { who, id, link } = await scene.open(...given)
      return { who, id, payment: paymentOf(link) }
    },
    eventsDelivered: () => asaas.webhooks.settled(),
    /** An event of the provider, as it comes over the network. */
    notify: (body: string | object) =>
      fetch(`${app.url}/payments/asaas`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'asaas-access-token': WEBHOOK_TOKEN },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async close() {
      await app.close()
      await asaas.close()
      expect([asaas.unknown, asaas.errors]).toEqual([[], []])
    },
  }
}
