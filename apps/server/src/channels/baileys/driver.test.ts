import { openShop } from '../../../testing/baileys.ts'
import { SHOP } from '../../../testing/whatsapp.ts'
import { driverSuite } from '../driver.suite.ts'

/** Refusals a message meets while the network is notified to refuse: more than any test sends. */
const MANY = 1_000

driverSuite('Baileys', async () => {
  const { app, server, whatsappId, phoneOf, close } = await openShop()
  let refusing: { stop(): void } | undefined
  return {
    app,
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
    close,
  }
})
