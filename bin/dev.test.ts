import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createBackend } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import config from '../apps/web/vite.config.ts'
import { restarting } from './dev/restarting.ts'

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

test('a save starts the server again, on the same database, after the run before has ended; one that fails waits for the next save', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-dev-'))
  const save = (text: string) => writeFileSync(join(folder, 'saved.ts'), text)
  const served = () => readFileSync(join(folder, 'served'), 'utf8').trim().split('\n')
  const says = (words: string) =>
    save(`import { appendFileSync } from 'node:fs'
      const say = (what: string) => appendFileSync('${join(folder, 'served')}', what + '\\n')
      export const serve = (database: string) => say('${words} on ' + database)
      process.on('SIGTERM', () => setTimeout(() => (say('${words} ends'), process.exit(0)), 100))`)
  writeFileSync(join(folder, 'served'), '')
  writeFileSync(
    join(folder, 'run.mjs'),
    `process.on('message', async ({ what, prepared }) => {
      const { serve } = await import('./saved.ts')
      if (what === 'serve') process.send('serves', () => serve(prepared))
    })`,
  )
  says('first')
  const server = restarting({
    script: join(folder, 'run.mjs'),
    watched: [folder],
    prepared: Promise.resolve('the database'),
  })
  try {
    await expect.poll(served, { timeout: 10_000 }).toEqual(['first on the database'])
    says('second')
    const second = ['first on the database', 'first ends', 'second on the database']
    await expect.poll(served, { timeout: 10_000 }).toEqual(second)
    save('process.exit(1)')
    await expect.poll(served, { timeout: 10_000 }).toEqual([...second, 'second ends'])
    says('third')
    await expect.poll(() => served().at(-1), { timeout: 10_000 }).toBe('third on the database')
  } finally {
    await server.stop('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
})
