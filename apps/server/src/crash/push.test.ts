import { connections } from '@balcao/contract/connections.ts'
import { push } from '@balcao/contract/push.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Process, startProcess } from '../../testing/process.ts'
import { type Browser, type PushService, startPushService } from '../../testing/push-receiver.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 200_000, hookTimeout: 240_000 })

const START_MS = 200_000
const NUMBER = '5511984100002'

/** Within the commit, between it and the call, between the call and its note. */
const POINTS = [
  ['before its commit', 'features/push/push.deliveries.queries.ts#writeNotifications:after'],
  ['between the commit and the call', 'features/push/push.deliveries.queries.ts#claimNotification:before'],
  ['between the call and its note', 'features/push/push.deliveries.queries.ts#settleNotification:before'],
] as const

describe('kill -9 while a device is notified', () => {
  let store: Store
  let product: Process
  let admin: Person
  let service: PushService
  let phone: Browser

  async function start() {
    product = await startProcess({ ...store.env, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'error' }, START_MS)
    admin = await enter(product.url, 'admin@balcao.test')
  }
  const write = (body: string) =>
    admin.call(simulator.write, {
      params: { whatsappId: admin.user.whatsappId! },
      body: { number: NUMBER, body },
    })

  beforeAll(async () => {
    service = await startPushService()
    store = await freshStore()
    await start()
    phone = service.browser()
    await admin.get(push.subscribe, { body: phone.subscription })
    const params = { whatsappId: admin.user.whatsappId! }
    await until(async () => (await admin.get(connections.show, { params })).status === 'CONNECTED', 30_000)
    await write('Oi')
    const { id: ticketId } = await until(
      async () =>
        (await admin.get(tickets.list, { query: { searchParam: NUMBER, status: '' } })).tickets[0] ?? null,
    )
    await admin.get(tickets.change, {
      params: { ticketId },
      body: { status: 'open', userId: admin.user.id, queueId: admin.user.queues[0]?.id ?? null },
    })
  })
  afterAll(async () => {
    await product?.stop()
    service?.close()
    await store?.remove()
  })

  test.each(sample(POINTS, 1))('who dies %s shows it once it is back, under one tag', async (said, point) => {
    await product.dieAt(point)
    await write(said).catch(() => {})
    expect(await product.ended).toBe('SIGKILL')
    // what the dead process held is due now: its claims and its lease are not waited for here
    await store.rows(`update push_deliveries set due_at = now() where due_at is not null`)
    await store.endLeases()
    await start()
    const shown = () => phone.received.map(({ payload }) => payload).filter(({ body }) => body === said)
    await until(() => shown().length > 0, 60_000)
    await until(
      async () => (await store.rows('select from push_deliveries where due_at is not null')).length === 0,
      60_000,
    )
    expect(new Set(shown().map(({ tag }) => tag)).size).toBe(1)
    expect(service.refused).toEqual([])
  })
})
