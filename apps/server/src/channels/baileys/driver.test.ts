import { connections } from '@balcao/contract/connections.ts'
import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { SHOP } from '../../../testing/whatsapp.ts'
import { openWorld, until } from '../../../testing/world.ts'
import { driverSuite } from '../driver.suite.ts'

/** Refusals a message meets while the network is told to refuse: more than any test sends. */
const MANY = 1_000

driverSuite('Baileys', async () => {
  const server = await startWhatsAppServer()
  trust(server)
  const world = await openWorld({ WHATSAPP_WEB_URL: server.url })
  const admin = await world.as('admin@balcao.test')
  const { id: whatsappId } = await admin.get(connections.create, { body: { name: 'Loja', lib: 'baileys' } })
  const shop = await server.addPhone(SHOP, { name: 'Padaria' })
  await admin.get(connections.renew, { params: { whatsappId }, body: {} })
  const show = () => admin.get(connections.show, { params: { whatsappId } })
  await shop.scan(await until(async () => (await show()).qrcode, 15_000))
  await until(async () => (await show()).status === 'CONNECTED', 15_000)

  const phones = new Map<string, Phone>()
  const phoneOf = async (number: string) => {
    const phone =
      phones.get(number) ?? (await server.addPhone(number, { name: `Cliente ${number.slice(-4)}` }))
    phones.set(number, phone)
    return phone
  }
  let refusing: { stop(): void } | undefined
  return {
    world,
    whatsappId,
    write: async (number, body) => void (await (await phoneOf(number)).write(SHOP, body)),
    received: async number =>
      (await phoneOf(number)).received().map(({ text, times }) => ({ body: text ?? '', times })),
    async confirm(number, ack) {
      const phone = await phoneOf(number)
      // a phone that is online has confirmed the delivery by itself
      if (ack === 4) phone.read(...phone.received().map(({ id }) => id))
    },
    async refuse(on) {
      refusing?.stop()
      refusing = on ? server.faults.failAcks(463, MANY) : undefined
    },
    breakLine: async () => {
      server.faults.refuse(503)
      server.dropSockets(SHOP)
    },
    mendLine: async () => server.faults.refuse(undefined),
    async close() {
      await world.close()
      await server.close()
    },
  }
})
