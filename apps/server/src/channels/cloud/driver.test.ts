import { setCloudScene } from '../../../testing/cloud.ts'
import { until } from '../../../testing/test-app.ts'
import { driverSuite } from '../driver.suite.ts'

driverSuite('cloud', async () => {
  const scene = await setCloudScene()
  const { meta, world, whatsappId } = scene
  const customer = (number: string) =>
    meta.state.customers.find(one => one.number === number) ?? meta.addCustomer(number)
  return {
    app: world,
    whatsappId,
    write: async (number, body) => void customer(number).says(body),
    async received(number) {
      const shown = customer(number).received()
      const bodies = Map.groupBy(shown, ({ text }) => text)
      return [...bodies].map(([body, copies]) => ({ body, times: copies.length }))
    },
    async confirm(number, ack) {
      if (ack < 4) return
      const ids = customer(number)
        .received()
        .map(({ id }) => id)
      customer(number).reads(...ids)
    },
    async refuse(on) {
      if (on) meta.faults.failures.next({ code: 131026, times: Number.POSITIVE_INFINITY })
      else meta.faults.failures.clear()
    },
    async breakLine() {
      meta.faults.calls.next({ reset: 'before', times: Number.POSITIVE_INFINITY })
      meta.faults.deliveries.next({ lose: true, times: Number.POSITIVE_INFINITY })
      await until(async () => (await scene.status()) === 'OPENING', 40_000)
    },
    async mendLine() {
      meta.faults.clear()
    },
    close: scene.end,
  }
})
