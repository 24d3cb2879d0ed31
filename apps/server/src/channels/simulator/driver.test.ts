import { simulator } from '@balcao/contract/simulator.ts'
import { openTestApp } from '../../../testing/test-app.ts'
import { driverSuite } from '../driver.suite.ts'

driverSuite('simulator', async () => {
  const app = await openTestApp()
  const admin = await app.as('admin@balcao.test')
  const params = { whatsappId: admin.user.whatsappId! }
  const fault = async (kind: 'offline' | 'reject' | 'none') =>
    void (await admin.get(simulator.fault, { params, body: { kind } }))
  return {
    app,
    ...params,
    write: async (number, body) =>
      void (await admin.get(simulator.write, { params, body: { number, body } })),
    async received(number) {
      const shown = await admin.get(simulator.chat, { params: { ...params, number } })
      return shown.filter(message => message.fromMe).map(({ body }) => ({ body, times: 1 }))
    },
    confirm: async (number, ack) =>
      void (await admin.get(simulator.receipt, { params, body: { number, ack } })),
    refuse: on => fault(on ? 'reject' : 'none'),
    breakLine: () => fault('offline'),
    mendLine: () => fault('none'),
    close: () => app.close(),
  }
})
