import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Graph, openGraph } from '../../features/cloud/cloud.client.ts'
import { HealthReports } from './health.ts'

let meta: CloudApiServer
let graph: Graph
beforeAll(async () => {
  meta = await startCloudApiServer()
  graph = openGraph({ url: meta.url, token: meta.token.value })
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await graph.close()
  await meta.close()
})

test('what Meta refuses to say of a number is as it last said, and asked for again after an hour', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const health = new HealthReports({
    store: { publishHealth: async () => {} },
    ...{ graph, token: meta.token.value, log: pino({ level: 'silent' }) },
  })
  const learnt = async () => (await health.ask(meta.number.id)).learnt
  meta.number.throughput = 'HIGH'
  meta.number.setStatus('BANNED')
  expect(await learnt()).toMatchObject({ numberStatus: 'BANNED', throughput: 'HIGH' })
  meta.faults.calls.next({ code: 100, on: 'number', times: 2 })
  expect(await learnt()).toMatchObject({ numberStatus: 'BANNED', throughput: 'HIGH' })
  meta.number.setStatus('CONNECTED')
  expect(await learnt()).toMatchObject({ numberStatus: 'BANNED' })
  meta.number.coexistence = true
  expect((await health.ask(meta.number.id)).isOnApp).toBe(false)
  vi.advanceTimersByTime(3_600_000)
  expect((await health.ask(meta.number.id)).isOnApp).toBe(true)
  expect(await learnt()).toMatchObject({ numberStatus: 'CONNECTED', throughput: 'HIGH' })
})
