import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { simulator } from '@balcao/contract/simulator.ts'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type TestApp, until } from '../../../testing/test-app.ts'
import { areSpansWanted, listenToSpans } from './spans.ts'

interface Written {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** A collector: what it received, as OTLP over HTTP has it. */
const spans: Written[] = []
const metrics: { name: string; histogram?: unknown; sum?: unknown; gauge?: unknown }[] = []
const collector = createServer(async (request, answer) => {
  let text = ''
  for await (const part of request) text += part
  const body = JSON.parse(text)
  for (const { scopeSpans } of body.resourceSpans ?? [])
    for (const one of scopeSpans) spans.push(...one.spans)
  for (const { scopeMetrics } of body.resourceMetrics ?? [])
    for (const one of scopeMetrics) metrics.push(...one.metrics)
  answer.setHeader('content-type', 'application/json').end('{}')
})

let app: TestApp
beforeAll(async () => {
  await new Promise<void>(done => collector.listen(0, '127.0.0.1', done))
  const { port } = collector.address() as AddressInfo
  expect(areSpansWanted()).toBe(false)
  app = await openTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
})
afterAll(() => new Promise(done => collector.close(done)))

const factOf = ({ attributes }: Written, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue

test('a call, its statements, what it caused and what arrives are spans of their traces, and figures are metrics', async () => {
  const ended: string[] = []
  const stopListening = listenToSpans({ begun: () => {}, over: ({ name }) => void ended.push(name) })
  const admin = await app.as('admin@balcao.test')
  const ticketId = await rowsOf(app, admin).ticket()
  const id = 'trace-of-the-test'
  const asked = await fetch(`${app.url}/messages/${ticketId}`, {
    headers: { authorization: `Bearer ${admin.token}`, 'x-request-id': id },
  })
  expect(asked.status).toBe(200)
  const whatsappId = admin.user.whatsappId!
  const body = { number: '5511987650001', name: 'Zoraide', body: 'segredo da Zoraide' }
  await admin.get(simulator.write, { params: { whatsappId }, body })
  const master = await app.as('master@balcao.test')
  await master.get(systemControl.act, { body: { action: 'reprocessRecentMessages' } })
  await until(async () => ended.some(name => name === 'job messageLogs.reprocessRecent'))
  stopListening()
  await app.close()

  expect(areSpansWanted()).toBe(false)
  const call = spans.find(one => factOf(one, 'balcao.trace') === id && one.name.startsWith('GET '))!
  expect(call).toMatchObject({ name: 'GET /messages/:ticketId' })
  expect(call.parentSpanId ?? '').toBe('')
  const statements = spans.filter(one => one.traceId === call.traceId && one !== call)
  expect(statements.length).toBeGreaterThan(0)
  expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([call.spanId]))
  expect(factOf(statements[0]!, 'db.query.text')).toMatch(/^select .*\$1/s)

  const inbound = spans.find(({ name }) => name === 'inbound events')!
  const within = spans.filter(({ parentSpanId }) => parentSpanId === inbound.spanId)
  expect(within.length).toBeGreaterThan(0)
  expect(new Set(within.map(({ traceId }) => traceId))).toEqual(new Set([inbound.traceId]))
  const job = spans.find(({ name }) => name === 'job messageLogs.reprocessRecent')!
  const asking = spans.find(({ traceId, name }) => traceId === job.traceId && name === 'POST /systemcontrol')!
  expect(job.parentSpanId).toBe(asking.spanId)
  // nothing that people wrote, nor who they are
  expect(JSON.stringify([spans, metrics])).not.toMatch(/Zoraide|5511987650001|admin@balcao/)

  const byName = new Map(metrics.map(one => [one.name, one]))
  expect(byName.get('http_request_duration_seconds')?.histogram).toMatchObject({
    dataPoints: expect.arrayContaining([expect.objectContaining({ explicitBounds: expect.any(Array) })]),
  })
  expect(byName.get('database_statements_total')?.sum).toMatchObject({ isMonotonic: true })
  expect(byName.get('balcao_jobs')?.gauge).toBeDefined()
})
