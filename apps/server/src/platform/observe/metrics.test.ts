import { expect, it, vi } from 'vitest'
import { metricsOf as made, measuredNothing as nothing } from '../../../testing/metrics.ts'
import { figures as figuresOf } from './figures.ts'

const metricsToken = 'a-long-metrics-token'

it('requests are counted and timed by route and status', async () => {
  const metrics = made(null)
  metrics.request('GET', '/tickets/:id', 200, 0.004)
  metrics.request('GET', '/tickets/:id', 200, 0.3)
  metrics.request('GET', '/tickets/:id', 404, 0.001)
  const text = await metrics.render()
  const labels = 'method="GET",route="/tickets/:id",status="200"'
  expect(text).toContain(`http_request_duration_seconds_count{${labels}} 2`)
  expect(text).toContain(`http_request_duration_seconds_bucket{le="0.005",${labels}} 1`)
  expect(text).toContain('status="404"} 1')
})

it('messages are counted by direction', async () => {
  const metrics = made(null)
  metrics.messages('in', 2)
  metrics.messages('out', 1)
  const text = await metrics.render()
  expect(text).toContain('whatsapp_messages_total{direction="in"} 2')
  expect(text).toContain('whatsapp_messages_total{direction="out"} 1')
})

it('the pool, other servers and the disk are measured', async () => {
  const text = await made(null).render()
  expect(text).toContain('balcao_database_connections{state="used"} 2')
  expect(text).toContain('balcao_database_connections{state="waited_for"} 4')
  expect(text).toContain('balcao_server_up{server="mail"} 0')
  expect(text).toContain('balcao_disk_bytes{what="free"} 40')
})

it('figures of the database are read at most every ten seconds, and a group that fails leaves the others', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let reads = 0
  let isAway = false
  const counted = figuresOf('counted', { balcao_counted: ['What is counted', 'state'] }, async () => {
    reads++
    if (isAway) throw new Error('canceling statement due to statement timeout')
    return [{ metric: 'balcao_counted', value: reads, labels: { state: `s${reads}` } }]
  })
  const other = figuresOf('other', { balcao_other: ['Another'] }, async () => [
    { metric: 'balcao_other', value: 7 },
  ])
  const metrics = made(null, nothing, [counted, other])
  await Promise.all([metrics.render(), metrics.render()])
  expect(await metrics.render()).toContain('balcao_counted{state="s1"} 1')
  expect(reads).toBe(1)
  vi.advanceTimersByTime(10_001)
  const second = await metrics.render()
  expect(second).toContain('balcao_counted{state="s2"} 2')
  expect(second).not.toContain('state="s1"')
  isAway = true
  vi.advanceTimersByTime(10_001)
  const third = await metrics.render()
  expect(third).toContain('balcao_figures_failed{group="counted"} 1')
  expect(third).toContain('balcao_figures_failed{group="other"} 0')
  expect(third).toContain('balcao_other 7')
  vi.useRealTimers()
})

it('what arrives incomplete is counted by connection', async () => {
  const metrics = made(null)
  metrics.incomplete(7, 'placeholder')
  metrics.incomplete(7, 'placeholder')
  metrics.incomplete(8, 'unreadable edit')
  const text = await metrics.render()
  expect(text).toContain('whatsapp_incomplete_total{connection="7",what="placeholder"} 2')
  expect(text).toContain('whatsapp_incomplete_total{connection="8",what="unreadable edit"} 1')
})

it('how long a connection has not recorded what it receives is shown until it does', async () => {
  const metrics = made(null)
  metrics.unrecorded(7, performance.now() - 90_000)
  expect(await metrics.render()).toMatch(/^balcao_inbound_unrecorded_seconds\{connection="7"\} 9\d\./m)
  metrics.unrecorded(7, null)
  expect(await metrics.render()).not.toContain('balcao_inbound_unrecorded_seconds{')
})

it('sockets and statements are read when asked for', async () => {
  let count = 3
  const metrics = made(null, { ...nothing, statements: () => count * 10, sockets: () => count })
  expect(await metrics.render()).toMatch(/^sockets 3$/m)
  count = 2
  const text = await metrics.render()
  expect(text).toMatch(/^sockets 2$/m)
  expect(text).toMatch(/^database_statements_total 20$/m)
})

it('the process shows its memory, processor and event loop', async () => {
  const text = await made(null).render()
  for (const name of [
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(text).toContain(name)
})

it('two apps in one process keep their figures apart', async () => {
  const [one, other] = [made(null), made(null)]
  one.messages('in', 1)
  expect(await other.render()).not.toContain('direction="in"')
})

it('this machine may read, and nobody else without a token', () => {
  const { mayRead } = made(null)
  for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(mayRead(ip, undefined)).toBe(true)
  for (const ip of ['10.0.0.1', '128.0.0.1', '::ffff:10.0.0.1', '::12', ''])
    for (const authorization of [undefined, '', 'Bearer ', 'Bearer null'])
      expect(mayRead(ip, authorization)).toBe(false)
})

it('whom a proxy on this machine passes on is not this machine', () => {
  expect(made(null).mayRead('127.0.0.1', undefined, { forwarded: true })).toBe(false)
  const { mayRead } = made(metricsToken)
  expect(mayRead('127.0.0.1', `Bearer ${metricsToken}`, { forwarded: true })).toBe(true)
})

it('the token opens from anywhere, whatever else is sent is refused', () => {
  const { mayRead } = made(metricsToken)
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
