import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetch } from 'undici'
import { afterEach, describe, expect, it, test } from 'vitest'
import { isConnectionFailure } from '../errors.ts'
import { type Outbound, OutboundError, openOutbound, type Resolve } from './outbound.ts'

const opened: (Outbound | Server)[] = []
afterEach(() => {
  for (const one of opened.splice(0)) {
    if ('closeAllConnections' in one) one.closeAllConnections()
    one.close()
  }
})

/** A server of this machine that counts who came; answers its port and the visits. */
async function server(answer: RequestListener = (_request, response) => response.end('secret')) {
  const visits: string[] = []
  const listening = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  opened.push(listening)
  await new Promise(resolve => listening.once('listening', resolve))
  return { port: (listening.address() as AddressInfo).port, visits }
}

const CALLEE = { target: 'lookups', companyId: 1 } as const

const address = (...addresses: string[]): Resolve => {
  return async () => addresses.map(one => ({ address: one, family: one.includes(':') ? 6 : 4 }))
}

/** A client; every name leads to this machine, which only `allow` opens. */
function client(allow: string[] = [], resolve: Resolve = address('127.0.0.1')) {
  const outbound = openOutbound({ outboundAllow: allow }, { resolve })
  opened.push(outbound)
  return { ...outbound, ...outbound.by(CALLEE) }
}

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.reason : error),
  )

describe('a private address', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://１２７.0.0.1:PORT/',
  ])('is not called, however it is written: %s', async url => {
    const { port, visits } = await server()
    const { fetchOutside } = client([], address('93.184.216.34'))
    expect(await reasonOf(fetchOutside(url.replace('PORT', String(port))))).toBe('forbidden')
    expect(visits).toEqual([])
  })

  it.each([
    ['one', address('127.0.0.1')],
    ['one among public ones', address('93.184.216.34', '10.0.0.1')],
    ['one in IPv6', address('::ffff:127.0.0.1')],
    ['none', address()],
  ])('is not called through a name that has %s', async (_what, resolve) => {
    const { port, visits } = await server()
    const { fetchOutside } = client([], resolve)
    expect(await reasonOf(fetchOutside(`http://hook.test:${port}/`))).toBe('forbidden')
    expect(visits).toEqual([])
  })

  it('is not called through the real names of this machine', async () => {
    const { port, visits } = await server()
    const outbound = openOutbound({ outboundAllow: [] })
    opened.push(outbound)
    for (const host of ['localhost', 'LOCALHOST'])
      expect(await reasonOf(outbound.by(CALLEE).fetchOutside(`http://${host}:${port}/`))).toBe('forbidden')
    // Some systems do not know this spelling.
    expect(await reasonOf(outbound.by(CALLEE).fetchOutside(`http://localhost.:${port}/`))).toMatch(
      /forbidden|unreachable/,
    )
    expect(visits).toEqual([])
  })

  it('is not reached by a name that changes its answer (DNS rebinding)', async () => {
    const { port, visits } = await server()
    const asked: string[] = []
    const { fetchOutside } = client([], async host => {
      asked.push(host)
      return [{ address: asked.length === 1 ? '203.0.114.1' : '127.0.0.1', family: 4 }]
    })
    const url = `http://rebind.test:${port}/`
    expect(await reasonOf(fetchOutside(url, { timeoutMs: 300 }))).toMatch(/timeout|unreachable/)
    expect(asked).toEqual(['rebind.test'])
    expect(await reasonOf(fetchOutside(url))).toBe('forbidden')
    expect(visits).toEqual([])
  })

  it('is told from nothing: open and closed ports answer alike', async () => {
    const { port } = await server()
    const { fetchOutside } = client()
    const say = (url: string) => fetchOutside(url).catch((error: Error) => error.message)
    expect(await say(`http://hook.test:${port}/`)).toBe(await say('http://hook.test:9/'))
  })

  it('is called when the operator allows it, at the very address that was checked', async () => {
    const { port, visits } = await server()
    const answers = ['127.0.0.1', '10.9.9.9']
    const { fetchOutside } = client(['127.0.0.0/8'], async () => [{ address: answers.shift()!, family: 4 }])
    expect(await reasonOf(fetchOutside(`http://hook.test:${port}/a`))).toBe('answered')
    expect(visits).toEqual(['GET /a'])
    expect(answers).toEqual(['10.9.9.9'])
    expect(await reasonOf(client(['crm.local']).fetchOutside(`http://crm.local:${port}/b`))).toBe('answered')
    expect(await reasonOf(client(['crm.local']).fetchOutside(`http://other.local:${port}/`))).toBe(
      'forbidden',
    )
  })

  it('stays closed to libraries that bring their own client', async () => {
    const { port, visits } = await server()
    const { dispatcher } = client([], address('127.0.0.1'))
    for (const host of ['127.0.0.1', 'hook.test'])
      await expect(fetch(`http://${host}:${port}/`, { dispatcher })).rejects.toThrow()
    expect(visits).toEqual([])
  })
})

it.each([
  'file:///etc/passwd',
  'gopher://hook.test/',
  'ftp://hook.test/',
  'http://me:pw@hook.test/',
  'hook.test',
  '',
])('only plain web addresses are called: %j', async url => {
  expect(await reasonOf(client(['hook.test']).fetchOutside(url))).toBe('forbidden')
})

test('in a drill nothing is called, whatever the operator allows', async () => {
  const { port, visits } = await server()
  const outbound = openOutbound({ outboundAllow: ['127.0.0.1'], drill: true })
  opened.push(outbound)
  expect(await reasonOf(outbound.by(CALLEE).fetchOutside(`http://127.0.0.1:${port}/`))).toBe('forbidden')
  expect(visits).toEqual([])
})

describe('a call', () => {
  it('carries method, headers and body, and brings back status, headers and bytes', async () => {
    const { port } = await server((request, response) => {
      response.writeHead(422, {
        'x-saw': `${request.method} ${request.headers['x-signature']} ${request.headers.host}`,
      })
      request.pipe(response)
    })
    const reply = await client(['hook.test']).fetchOutside(`http://hook.test:${port}/`, {
      method: 'POST',
      headers: { 'x-signature': 'abc' },
      body: '{"olá":1}',
    })
    expect(reply).toMatchObject({ status: 422, headers: { 'x-saw': `POST abc hook.test:${port}` } })
    expect(reply.body.toString()).toBe('{"olá":1}')
  })

  it('ends when the time is over, before or within the answer', async () => {
    const { port } = await server((request, response) => {
      if (request.url === '/slow') response.write('a')
    })
    const { fetchOutside } = client(['hook.test'])
    for (const path of ['never', 'slow'])
      expect(await reasonOf(fetchOutside(`http://hook.test:${port}/${path}`, { timeoutMs: 150 }))).toBe(
        'timeout',
      )
    const { fetchOutside: unresolved } = client(['hook.test'], () => new Promise(() => {}))
    expect(await reasonOf(unresolved('http://hook.test/', { timeoutMs: 150 }))).toBe('timeout')
  })

  it('has arrived with its first line where only that matters, however much is said', async () => {
    const { port } = await server((_request, response) => {
      response.write(new Uint8Array(2_000_000))
    })
    const { fetchOutside } = client(['hook.test'])
    const reply = await fetchOutside(`http://hook.test:${port}/`, { delivers: true })
    expect([reply.status, reply.body.length]).toEqual([200, 0])
  })

  it('ends when the answer is too large', async () => {
    const { port } = await server((_request, response) => {
      const more = () => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', more)
      }
      more()
    })
    const { fetchOutside } = client(['hook.test'])
    expect(await reasonOf(fetchOutside(`http://hook.test:${port}/`))).toBe('too-large')
    expect(await reasonOf(fetchOutside(`http://hook.test:${port}/`, { maxBytes: 10 }))).toBe('too-large')
  })

  it('that finds nobody says so, and does not look like an outage of the database', async () => {
    const failed = await client(['hook.test'])
      .fetchOutside('http://hook.test:9/')
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ reason: 'unreachable', message: 'ECONNREFUSED' })
    expect(isConnectionFailure(failed)).toBe(false)
  })
})

describe('a redirect', () => {
  const redirecting = (status: number, to: () => string) =>
    server((request, response) => {
      if (request.url === '/end') response.end(`${request.method} ${request.headers['x-signature']}`)
      else response.writeHead(status, { location: to() }).end('moved')
    })

  it('within the same place is followed with headers, and with the body where HTTP keeps it', async () => {
    for (const [status, seen] of [
      [302, 'GET abc'],
      [307, 'POST abc'],
    ] as const) {
      const { port } = await redirecting(status, () => '/end')
      const reply = await client(['hook.test']).fetchOutside(`http://hook.test:${port}/`, {
        method: 'POST',
        headers: { 'x-signature': 'abc' },
        body: 'x',
      })
      expect(reply.body.toString()).toBe(seen)
    }
  })

  it('to another place does not take the headers along', async () => {
    const other = await redirecting(302, () => '/end')
    const { port } = await redirecting(307, () => `http://hook.test:${other.port}/end`)
    const { fetchOutside } = client(['hook.test'])
    const { body } = await fetchOutside(`http://hook.test:${port}/`, { headers: { 'x-signature': 'abc' } })
    expect(body.toString()).toBe('GET undefined')
  })

  it('that would make another call of it is the answer where only its arrival matters', async () => {
    const other = await redirecting(302, () => '/end')
    const elsewhere = `http://hook.test:${other.port}/end`
    const call = { method: 'POST', headers: { 'x-signature': 'abc' }, body: 'x', delivers: true } as const
    for (const [status, to, seen] of [
      [301, '/end', 301],
      [303, '/end', 303],
      [307, elsewhere, 307],
      [308, '/end', 200],
    ] as const) {
      const { port } = await redirecting(status, () => to)
      const reply = await client(['hook.test']).fetchOutside(`http://hook.test:${port}/`, call)
      expect(reply.status).toBe(seen)
    }
    expect(other.visits).toEqual([])
  })

  it('to a private address is refused, by number and by name', async () => {
    const inside = await server()
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'inside.test']) {
      const { port } = await redirecting(302, () => `http://${host}:${inside.port}/`)
      expect(await reasonOf(client(['hook.test']).fetchOutside(`http://hook.test:${port}/`))).toBe(
        'forbidden',
      )
    }
    expect(inside.visits).toEqual([])
  })

  it('to another kind of address is refused, and so is a fourth one', async () => {
    const file = await redirecting(302, () => 'file:///etc/passwd')
    const round = await redirecting(302, () => '/again')
    const { fetchOutside } = client(['hook.test'])
    expect(await reasonOf(fetchOutside(`http://hook.test:${file.port}/`))).toBe('forbidden')
    expect(await reasonOf(fetchOutside(`http://hook.test:${round.port}/`))).toBe('redirects')
    expect(round.visits).toHaveLength(4)
  })
})

it('a body is taken while it comes: nobody waits for its end, and too much of it is refused', async () => {
  const end = Promise.withResolvers<void>()
  const { port } = await server(async (_request, response) => {
    response.write('a'.repeat(100))
    await end.promise
    response.end('b'.repeat(100))
  })
  const receive = (maxBytes: number) =>
    client(['127.0.0.1']).receiveOutside(`http://127.0.0.1:${port}`, { maxBytes }, async ({ body }) => {
      let size = 0
      for await (const chunk of body) {
        size += chunk.length
        end.resolve()
      }
      return size
    })
  expect(await receive(200)).toBe(200)
  expect(await reasonOf(receive(150))).toBe('too-large')
})

it('what fails while a body is taken is thrown as it is', async () => {
  const { port } = await server()
  const broken = new Error('the disk is full')
  const receiving = client(['127.0.0.1']).receiveOutside(`http://127.0.0.1:${port}`, {}, () =>
    Promise.reject(broken),
  )
  await expect(receiving).rejects.toBe(broken)
})
