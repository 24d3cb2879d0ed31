import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

const metricsToken = 'a-long-metrics-token'
const nothing = { statements: () => 0, sockets: () => 0 }

it('requests are counted and timed by route and status', async () => {
  const metrics = createMetrics({ metricsToken: null }, nothing)
  metrics.request('GET', '/tickets/:id', 200, 0.004)
  metrics.request('GET', '/tickets/:id', 200, 0.3)
  metrics.request('GET', '/tickets/:id', 404, 0.001)
  const text = await metrics.render()
  const labels = 'method="GET",route="/tickets/:id",status="200"'
  expect(text).toContain(`http_request_duration_seconds_count{${labels}} 2`)
  expect(text).toContain(`http_request_duration_seconds_bucket{le="0.005",${labels}} 1`)
  expect(text).toContain('status="404"} 1')
})

it('messages are counted by direction and kind of connection', async () => {
  const metrics = createMetrics({ metricsToken: null }, nothing)
  metrics.messages('in', 'baileys')
  metrics.messages('in', 'baileys')
  metrics.messages('out', 'cloud')
  const text = await metrics.render()
  expect(text).toContain('whatsapp_messages_total{direction="in",lib="baileys"} 2')
  expect(text).toContain('whatsapp_messages_total{direction="out",lib="cloud"} 1')
})

it('sockets and statements are read when asked for', async () => {
  let count = 3
  const metrics = createMetrics(
    { metricsToken: null },
    { statements: () => count * 10, sockets: () => count },
  )
  expect(await metrics.render()).toMatch(/^sockets 3$/m)
  count = 2
  const text = await metrics.render()
  expect(text).toMatch(/^sockets 2$/m)
  expect(text).toMatch(/^database_statements_total 20$/m)
})

it('the process shows its memory, processor and event loop', async () => {
  const text = await createMetrics({ metricsToken: null }, nothing).render()
  for (const name of [
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(text).toContain(name)
})

it('two apps in one process keep their figures apart', async () => {
  const [one, other] = [
    createMetrics({ metricsToken: null }, nothing),
    createMetrics({ metricsToken: null }, nothing),
  ]
  one.messages('in', 'simulator')
  expect(await other.render()).not.toContain('simulator')
})

it('this machine may read, and nobody else without a token', () => {
  const { mayRead } = createMetrics({ metricsToken: null }, nothing)
  for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(mayRead(ip, undefined)).toBe(true)
  for (const ip of ['10.0.0.1', '128.0.0.1', '::ffff:10.0.0.1', '::12', ''])
    for (const authorization of [undefined, '', 'Bearer ', 'Bearer null'])
      expect(mayRead(ip, authorization)).toBe(false)
})

it('whom a proxy on this machine passes on is not this machine', () => {
  expect(
    createMetrics({ metricsToken: null }, nothing).mayRead('127.0.0.1', undefined, { forwarded: true }),
  ).toBe(false)
  const { mayRead } = createMetrics({ metricsToken }, nothing)
  expect(mayRead('127.0.0.1', `Bearer ${metricsToken}`, { forwarded: true })).toBe(true)
})

it('the token opens from anywhere, whatever else is sent is refused', () => {
  const { mayRead } = createMetrics({ metricsToken }, nothing)
  expect(mayRead('203.0.113.9', `Bearer ${metricsToken}`)).toBe(true)
  for (const authorization of [
    metricsToken,
    'Bearer ',
    `Bearer ${metricsToken}x`,
    `Bearer ${'é'.repeat(metricsToken.length)}`,
  ])
    expect(mayRead('203.0.113.9', authorization)).toBe(false)
  expect(mayRead('127.0.0.1', undefined)).toBe(true)
})
