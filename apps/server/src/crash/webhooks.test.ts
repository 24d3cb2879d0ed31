import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 200_000, hookTimeout: 240_000 })

const START_MS = 200_000
const NUMBER = '5511984100001'

/** Within the commit, between it and the call, between the call and its note. */
const POINTS = [
  ['before its commit stands', 'features/webhooks/webhooks.queries.ts#writeDeliveries:after'],
  ['between the commit and the call', 'features/webhooks/webhooks.queries.ts#claimDelivery:before'],
  ['between the call and its note', 'features/webhooks/webhooks.queries.ts#settleDelivery:before'],
] as const

describe('kill -9 while another system is told', () => {
  let store: Store
  let product: Process
  let admin: Person
  let receiver: Receiver

  async function start() {
    product = await startProcess({ ...store.env, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'error' }, START_MS)
    admin = await enter(product.url, 'admin@balcao.test')
  }
  /** What the dead process held is due now: its claims and its lease are not waited for here. */
  async function startAgain() {
    await store.rows(`update webhook_deliveries set due_at = now() where due_at is not null`)
    await store.endLeases()
    await start()
  }

  beforeAll(async () => {
    receiver = await startReceiver()
    store = await freshStore()
    await start()
    const body = { name: 'Loja', url: receiver.url('/aviso'), events: ['message.received' as const] }
    await admin.get(webhooks.create, { body })
    const whatsappId = admin.user.whatsappId!
    await until(
      async () => (await admin.get(connections.show, { params: { whatsappId } })).status === 'CONNECTED',
      30_000,
    )
  })
  afterAll(async () => {
    await product?.stop()
    receiver?.close()
    await store?.remove()
  })

  test.each(sample(POINTS, 1))('who dies %s tells it once it is back, under one id', async (said, point) => {
    const params = { whatsappId: admin.user.whatsappId! }
    await product.dieAt(point)
    await admin.call(simulator.write, { params, body: { number: NUMBER, body: said } }).catch(() => {})
    expect(await product.ended).toBe('SIGKILL')
    await startAgain()
    const told = () => receiver.told.filter(({ data }) => data.body === said)
    const { webhooks: found } = await admin.get(webhooks.list)
    const log = async () =>
      (await admin.get(webhooks.listDeliveries, { params: { webhookId: found[0]!.id } })).deliveries.filter(
        ({ body }) => body.includes(said),
      )
    await until(async () => (await log()).some(one => one.state === 'done'), 60_000)
    expect(told().length).toBeGreaterThan(0)
    expect(new Set(told().map(({ id }) => id))).toEqual(new Set((await log()).map(({ id }) => id)))
    expect(await log()).toHaveLength(1)
  })
})
