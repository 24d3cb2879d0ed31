import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { connections } from '@balcao/contract/connections.ts'
import { publicApi } from '@balcao/contract/publicApi.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { newNumber } from '../../testing/rows.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

let store: Store
let product: Process
let admin: Person

async function start() {
  product = await startProcess({ ...store.env, LOG_LEVEL: 'error' })
  admin = await enter(product.url, 'admin@balcao.test')
}
beforeAll(async () => {
  store = await freshStore()
  await start()
})
afterAll(async () => {
  await product?.stop()
  await store?.remove()
})

const points = [
  ['when its message is a row', 'features/messages/messages.queries.ts#insertMessages:after'],
  ['before it leaves', 'features/simulator/simulator.actions.ts#deliver:before'],
] as const
test.each(sample(points, 1))(
  'kill -9 %s, before the program heard an answer: repeated with its key it is one message',
  async (_, point) => {
    const whatsappId = admin.user.whatsappId!
    await until(
      async () => (await admin.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED',
      30_000,
    )
    const { id } = await admin.get(apiTokens.create, { body: { name: 'Loja virtual', whatsappId } })
    const number = newNumber()
    const send = () =>
      admin.call(publicApi.text, {
        body: { number, body: 'Pedido 77' },
        headers: { authorization: `Bearer ${id}`, 'idempotency-key': `pedido ${number}` },
      })
    await product.dieAt(point)
    // the answer may die with the process
    await send().catch(() => {})
    expect(await product.ended).toBe('SIGKILL')
    await start()
    const again = await until(async () => {
      const answer = await send()
      return answer.status === 200 && answer
    }, 30_000)
    expect((await send()).body).toEqual(again.body)
    const heard = () => admin.get(simulator.chat, { params: { whatsappId, number } })
    await until(async () => (await heard()).length > 0, 30_000)
    expect((await heard()).map(({ body }) => body)).toEqual(['Pedido 77'])
  },
)
