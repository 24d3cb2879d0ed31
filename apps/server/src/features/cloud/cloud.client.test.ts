import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Graph, GraphRefusal, GraphSilence, openGraph } from './cloud.client.ts'

let meta: CloudApiServer
let graph: Graph
beforeAll(async () => {
  meta = await startCloudApiServer()
  graph = openGraph({ url: meta.url, token: meta.token.value, patienceMs: 300 })
})
afterEach(() => meta.faults.clear())
afterAll(async () => {
  await graph.close()
  await meta.close()
})

const failure = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    error => error,
  )

test.each([
  ['hangs before it looks', { hang: 'before' as const }],
  ['hangs after it did what was asked', { hang: 'after' as const }],
  ['breaks off before it looks', { reset: 'before' as const }],
  ['breaks off after it did what was asked', { reset: 'after' as const }],
  ['answers something that is no JSON', { garble: true as const }],
  ['is answered for by something on the way', { status: 502, text: '<html></html>' }],
])('whoever %s may have done it: nobody knows', async (_, step) => {
  meta.faults.calls.next(step)
  const error = await failure(graph.get(meta.number.id))
  expect(error).toBeInstanceOf(GraphSilence)
  expect((error as GraphSilence).reached).toBe(true)
})

test('a host that is not there was surely not reached', async () => {
  const anonymous = openGraph({ url: 'http://127.0.0.1:9', token: 'x', patienceMs: 300 })
  const error = await failure(anonymous.get('1'))
  expect(error).toBeInstanceOf(GraphSilence)
  expect((error as GraphSilence).reached).toBe(false)
  await anonymous.close()
})

test.each([
  ['is no TLS', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['ends the handshake', (socket: Socket) => socket.resetAndDestroy()],
])('a message to what %s surely did not leave', async (_, answer) => {
  const broken = createTcpServer(answer).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  const { port } = broken.address() as AddressInfo
  const secure = openGraph({ url: `https://127.0.0.1:${port}`, token: 'x', patienceMs: 300 })
  let hasLeft = false
  const error = await failure(
    secure.post('1/messages', {}, async () => {
      hasLeft = true
    }),
  )
  expect(error).toBeInstanceOf(GraphSilence)
  expect([(error as GraphSilence).reached, hasLeft]).toEqual([false, false])
  await secure.close()
  broken.close()
})

test('a call that is asked for its lease leaves behind the answer, or not at all', async () => {
  const path = `${meta.number.id}/messages`
  const before = meta.calls.length
  const lost = new Error('another process runs this connection')
  expect(await failure(graph.post(path, {}, () => Promise.reject(lost)))).toBe(lost)
  expect(meta.calls.length).toBe(before)
  expect(await failure(graph.post(path, {}, async () => {}))).toBeInstanceOf(GraphRefusal)
  expect(meta.calls.length).toBe(before + 1)
})

describe('an address that a webhook could have brought', () => {
  const hits: IncomingHttpHeaders[] = []
  const canary = createServer((asked, answer) => {
    hits.push(asked.headers)
    answer.end('secret')
  })
  let inside = ''
  beforeAll(async () => {
    await new Promise<void>(done => canary.listen(0, '127.0.0.2', done))
    inside = `http://127.0.0.2:${(canary.address() as AddressInfo).port}/latest/meta-data`
  })
  afterAll(() => void canary.close())

  test.each(['../v1.0/1?fields=url', '1?fields=url', '1/../2', '', 'me', '12345678\n'])(
    'is no path of Graph’s: %j is not asked for',
    async path => {
      const error = await failure(graph.get(path))
      expect(error).toBeInstanceOf(GraphSilence)
      expect((error as GraphSilence).reached).toBe(false)
      expect(meta.unknown).toEqual([])
    },
  )

  test('inside the operator’s network is not called', async () => {
    for (const url of [inside, inside.replace('http:', 'ftp:'), 'file:///etc/passwd']) {
      const error = await failure(graph.download(url))
      expect(error).toBeInstanceOf(GraphSilence)
      expect((error as GraphSilence).reached).toBe(false)
    }
    expect(hits).toEqual([])
  })

  test('that may be called and is not Meta’s is not shown the token', async () => {
    const open = openGraph({ url: meta.url, token: meta.token.value, outboundAllow: ['127.0.0.2'] })
    const { status, body } = await open.download(inside)
    body.resume()
    expect([status, hits.length, hits[0]?.authorization]).toEqual([200, 1, undefined])
    await open.close()
  })
})

test('a refusal keeps Meta’s code and its words, and nothing else of the answer', async () => {
  meta.faults.calls.next({ code: 131056, status: 400, details: 'too many to one person' })
  const error = await failure(graph.get(meta.number.id))
  expect(error).toBeInstanceOf(GraphRefusal)
  expect(error).toMatchObject({ status: 400, code: 131056, details: 'too many to one person' })
})
