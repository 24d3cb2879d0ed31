import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../testing/person.ts'
import { serverUrl } from '../../../testing/postgres.ts'
import { openProxiedWire, type ProxiedWire } from '../../../testing/proxy.ts'
import { redisServer } from '../../../testing/redis.ts'
import { s3Server } from '../../../testing/s3.ts'
import { openPostOffice } from '../../../testing/smtp.ts'
import { fetchBytes } from '../../channels/baileys/media/fetch.ts'
import { openGraph } from '../../features/cloud/cloud.client.ts'
import { readConfig } from '../config.ts'
import { openBucket } from '../files/bucket.ts'
import { overRedis } from '../live/signals-redis.ts'
import { openDatabase } from '../postgres/db.ts'
import { sql as tag } from '../postgres/sql.ts'
import { OutsideCalls, type OutsideTarget } from './calls.ts'
import type { ByteRate } from './flow.ts'
import { openMail } from './mail.ts'
import { openOutbound } from './outbound.ts'
import { postgresClient } from './postgres.client.ts'
import type { S3Limits } from './s3.client.ts'

/** So long (ms) everything may take here; in the product seconds and minutes. */
const MS = 300
const MANY_MS = 40 * MS
const slow: ByteRate = { graceMs: MS, bytesPerSecond: 1_000_000 }
const s3Limits: S3Limits = { ...slow, connectMs: MS, answerMs: MS, sendBytesPerSecond: 1_000_000 }

interface Client {
  call(): Promise<unknown>
  /** How it says that the other side is out of order; null where its figure alone says it. */
  named?: () => boolean
}

/** What stands behind a wire, and who calls it over that wire. */
interface Outside {
  name: string
  target: OutsideTarget | null
  open(calls: OutsideCalls): Promise<{ wire: ProxiedWire; client: Client }>
}

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** A host that answers every call with so much that it does not pass drop by drop. */
async function host() {
  const answer = JSON.stringify({ id: 'x'.repeat(2_000), data: [] })
  const server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1')
  await new Promise(done => server.once('listening', done))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return wireTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

async function wireTo(url: string) {
  const wire = await openProxiedWire(url)
  closing.push(wire.close)
  return wire
}

async function files(calls: OutsideCalls) {
  const server = await s3Server()
  closing.push(server.close)
  const wire = await wireTo(server.s3.endpoint!)
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: line => void lines.push(line) })
  const at = { ...server.s3, endpoint: wire.over(server.s3.endpoint!).replace(/\/$/, '') }
  const { store, server: watched } = await openBucket(at, log, { calls, limits: s3Limits })
  closing.push(() => watched?.close())
  let count = 0
  async function call() {
    const path = `7/aa/${++count}.png`
    await store.write(path, Readable.from([Buffer.alloc(5_000)]), { name: 'a', type: 'image/png' })
    const found = await store.read(path)
    expect((await buffer(found!.stream)).length).toBe(5_000)
  }
  const named = () =>
    watched?.state()?.isUp === false && lines.join().includes('the server of files does not answer')
  return { wire, client: { call, named } }
}

async function http(calls: OutsideCalls) {
  const wire = await host()
  const outbound = openOutbound({ outboundAllow: ['127.0.0.1'] }, { calls })
  closing.push(outbound.close)
  const outside = outbound.by({ target: 'webhooks', companyId: 7 })
  return { wire, client: { call: () => outside.fetchOutside(wire.over('http://x/'), { timeoutMs: MS }) } }
}

async function download(calls: OutsideCalls) {
  const wire = await host()
  const outbound = openOutbound({ outboundAllow: ['127.0.0.1'] }, { calls })
  closing.push(outbound.close)
  const outside = outbound.by({ target: 'pages', companyId: 7 })
  const call = async () =>
    buffer((await outside.openOutside(wire.over('http://x/'), { patienceMs: MS })).body)
  return { wire, client: { call } }
}

async function graph(calls: OutsideCalls) {
  const wire = await host()
  const url = wire.over('http://x').replace(/\/$/, '')
  const opened = openGraph({ url, token: 'token', patienceMs: MS, calls, companyId: 7 })
  closing.push(opened.close)
  return { wire, client: { call: () => opened.get('1') } }
}

async function media() {
  const wire = await host()
  const call = async () => buffer(await fetchBytes(wire.over('http://x/'), slow))
  return { wire, client: { call } }
}

async function mail(calls: OutsideCalls) {
  const office = await openPostOffice()
  closing.push(office.close)
  const wire = await wireTo(office.env.SMTP_URL!)
  const config = readConfig({
    ...office.env,
    JWT_SECRET: 'Kq3vX8mZ1tR6yW0pL5sN9bH2cJ7dF4gA',
    SMTP_URL: wire.over(office.env.SMTP_URL!),
  })
  const opened = openMail(
    config,
    { links: { signing: new Uint8Array(32), verifying: [] } },
    pino({ level: 'silent' }),
    { calls, patienceMs: MS },
  )
  closing.push(opened.close)
  const letter = {
    language: 'en' as const,
    subject: 'Hi',
    before: ['x'.repeat(500)],
    button: null,
    after: [],
  }
  const call = () => opened.send({ id: crypto.randomUUID(), to: 'ana@balcao.test', letter, link: null })
  return { wire, client: { call, named: () => opened.server?.state()?.isUp === false } }
}

const manyRows = (sql: { execute(query: ReturnType<typeof tag>): PromiseLike<unknown> }) =>
  sql.execute(tag`select repeat('x', ${3_000}::int)`)

async function database() {
  const wire = await wireTo(serverUrl())
  const opened = openDatabase(wire.over(serverUrl()), 2, { waitMs: MS, silentMs: MS })
  closing.push(opened.close)
  const before = opened.losses()
  return {
    wire,
    client: {
      call: () => opened.transaction('select 1', async sql => void (await manyRows(sql))),
      named: () => opened.losses() > before,
    },
  }
}

async function lonelyDatabase() {
  const wire = await wireTo(serverUrl())
  const call = async () => {
    const client = postgresClient(
      { connectionString: wire.over(serverUrl()), connectionTimeoutMillis: MS },
      MS,
    )
    client.on('error', () => {})
    await client.connect()
    await client.query('select 1')
    await client.end()
  }
  return { wire, client: { call } }
}

const outside: Outside[] = [
  { name: 'a bucket', target: 'files', open: files },
  { name: 'a webhook, a model, a lookup, a payment provider', target: 'webhooks', open: http },
  { name: 'a file at an address', target: 'pages', open: download },
  { name: 'the Graph API', target: 'graph', open: graph },
  { name: 'the media of WhatsApp', target: null, open: media },
  { name: 'a mail server', target: 'mail', open: mail },
  { name: 'the database', target: null, open: database },
  { name: 'the database, for a command', target: null, open: lonelyDatabase },
]

describe.each(outside)('$name', ({ target, open }) => {
  const calls = new OutsideCalls()
  let wire: ProxiedWire
  let client: Client
  // on a slow machine one may take longer than its time
  const works = () =>
    client.call().then(
      () => true,
      () => false,
    )
  beforeAll(async () => {
    ;({ wire, client } = await open(calls))
    await until(works)
  })

  test.each(['hold', 'drip', 'reset'] as const)(
    'that turns to %s: every call ends in its time and is named, and the next one succeeds when it is back',
    async way => {
      wire[way]()
      const began = performance.now()
      const ended = await Promise.allSettled([client.call(), client.call(), client.call()])
      expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(performance.now() - began).toBeLessThan(MANY_MS)
      if (client.named) expect(client.named()).toBe(true)
      if (target) {
        const failed = calls.figures().ended.filter(({ result }) => result !== 'done')
        expect(failed.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(3)
        expect(calls.underWay(target)).toBe(0)
      }
      wire.flow()
      await until(works)
    },
  )
})

const found = await redisServer()
const missing = 'missing' in found ? found.missing : ''

describe.skipIf(missing)(`Redis${missing && ` (${missing})`}`, () => {
  test('that is silent counts as down, and signals pass again when it is back', async () => {
    const url = 'url' in found ? found.url : ''
    const wire = await wireTo(url)
    const log = pino({ level: 'silent' })
    const installation = crypto.randomUUID()
    const heard: string[] = []
    const one = overRedis(wire.over(url), installation, log, () => {}, MS)
    const other = overRedis(url, installation, log, topic => void heard.push(topic))
    closing.push(one.close, other.close)
    await until(() => one.isReady() && other.isReady())
    for (const way of ['hold', 'drip', 'reset'] as const) {
      wire[way]()
      await until(() => {
        one.publish('busy', {}, undefined)
        return !one.isReady()
      }, MANY_MS)
      wire.flow()
      await until(() => {
        one.publish(way, {}, undefined)
        return heard.includes(way)
      })
    }
  })
})

test('calls of one company wait for its own alone, and no longer than their time', async () => {
  const calls = new OutsideCalls({ ofOne: 2, waitMs: 50 })
  const { promise: hangs, resolve: end } = Promise.withResolvers<string>()
  const of = (companyId: number) => ({ target: 'models', companyId }) as const
  const hanging = [calls.run(of(1), () => hangs), calls.run(of(1), () => hangs)]
  await expect(calls.run(of(1), async () => 'third')).rejects.toThrow('too many calls under way')
  expect(await calls.run(of(2), async () => 'neighbour')).toBe('neighbour')
  const next = calls.run(of(1), async () => 'next')
  end('ended')
  expect(await Promise.all([...hanging, next])).toEqual(['ended', 'ended', 'next'])
  expect(calls.figures()).toEqual({
    ended: [
      { target: 'models', result: 'late', value: 1 },
      { target: 'models', result: 'done', value: 4 },
    ],
    underWay: [{ target: 'models', value: 0 }],
  })
})
