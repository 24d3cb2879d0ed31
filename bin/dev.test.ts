import { once } from 'node:events'
import { createServer as createBackend } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import config from '../apps/web/vite.config.ts'

/** In the product's place: it answers calls, and ends every line that is none of its own. */
const backend = createBackend((request, reply) => reply.end(`called ${request.url}`))
backend.on('upgrade', (_request, socket) => socket.destroy())

let vite: ViteDevServer
let origin: string
beforeAll(async () => {
  await once(backend.listen(0, '127.0.0.1'), 'listening')
  const target = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  const [[where, how]] = Object.entries(config.server!.proxy as Record<string, ProxyOptions>) as [
    [string, ProxyOptions],
  ]
  vite = await createServer({
    ...config,
    configFile: false,
    root: new URL('../apps/web', import.meta.url).pathname,
    // nothing is bundled ahead: the requests here need no library
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, proxy: { [where]: { ...how, target } } },
    logLevel: 'silent',
  })
  await vite.listen()
  origin = new URL(vite.resolvedUrls!.local[0]!).origin
})
afterAll(async () => {
  await vite.close()
  backend.close()
})

test.each([
  ['/tickets', 'src/main.tsx'],
  ['/store', 'src/outside.tsx'],
  ['/subscription?plan=1', 'src/outside.tsx'],
])('a page is served by Vite: %s', async (path, entry) => {
  const page = await fetch(origin + path, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain(entry)
})

test('a call goes to the product', async () => {
  const answer = await fetch(`${origin}/tickets?pageNumber=1`, { headers: { accept: 'application/json' } })
  expect(await answer.text()).toBe('called /tickets?pageNumber=1')
})

test.each(['/theme.js', '/favicon.svg'])(
  'a file that no module imports is served by Vite: %s',
  async path => {
    const file = await fetch(origin + path)
    expect(await file.text()).not.toContain('called')
  },
)

test('the line on which Vite says what was saved stays open', async () => {
  const line = new WebSocket(
    `${origin.replace('http', 'ws')}/?token=${vite.config.webSocketToken}`,
    'vite-hmr',
  )
  const said: { type: string }[] = []
  line.addEventListener('message', ({ data }) => said.push(JSON.parse(data)))
  const closed = once(line, 'close')
  await once(line, 'open')
  // a second line is turned away by the product, as the first would be by now
  const other = new WebSocket(`${origin.replace('http', 'ws')}/none`)
  await once(other, 'error')
  vite.ws.send({ type: 'full-reload' })
  await expect.poll(() => said.map(({ type }) => type)).toEqual(['connected', 'full-reload'])
  expect(line.readyState).toBe(WebSocket.OPEN)
  line.close()
  await closed
})
