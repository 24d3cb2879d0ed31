import { connections } from '@balcao/contract/connections.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { openTestApp, until } from './test-app.ts'
import { SHOP } from './whatsapp.ts'

/** The whole product, connected with a shop's phone on the local WhatsApp server; customers' phones on request. */
export async function openShop() {
  const server = await startWhatsAppServer()
  trust(server)
  const app = await openTestApp({ WHATSAPP_WEB_URL: server.url })
  const admin = await app.as('admin@balcao.test')
  const { id: whatsappId } = await admin.get(connections.create, { body: { name: 'Loja', lib: 'baileys' } })
  const shop = await server.addPhone(SHOP, { name: 'Padaria' })
  await admin.get(connections.renew, { params: { whatsappId }, body: {} })
  const show = () => admin.get(connections.show, { params: { whatsappId } })
  await shop.scan(await until(async () => (await show()).qrcode, 15_000))
  await until(async () => (await show()).status === 'CONNECTED', 15_000)

  const phones = new Map<string, Phone>()
  return {
    app,
    server,
    whatsappId,
    async phoneOf(number: string) {
      const phone =
        phones.get(number) ?? (await server.addPhone(number, { name: `Cliente ${number.slice(-4)}` }))
      phones.set(number, phone)
      return phone
    },
    async close() {
      await app.close()
      await server.close()
    },
  }
}
