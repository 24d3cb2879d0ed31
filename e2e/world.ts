import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type TestInfo } from '@playwright/test'
import { type People, type Visitors, visitorsOf } from './people.ts'
import { type Phone, phoneOf } from './phone.ts'
import { productOfTheRun } from './served.ts'
import { foundShop, type Shop } from './shop.ts'

export { expect } from '@playwright/test'

/** Where the product is, and the file of everything it printed: named when something fails. */
export interface Served {
  url: string
  log: string
}

/** The product as people run it: a process of its own, the embedded database, demo data. */
export interface World extends Served {
  /** Ends the process without a farewell, as a crash would, and starts it again on the same data. */
  crashAndReturn(): Promise<void>
  stop(): Promise<void>
}

/** One product for all of a run, a company of its own for each worker; people and a phone for each test. */
export const test = base.extend<
  { people: People; phone: Phone },
  { world: Served; shop: Shop; visitors: Visitors }
>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
  world: [async ({}, use) => use(productOfTheRun()), { scope: 'worker' }],
  shop: [async ({ world }, use) => use(await foundShop(world.url)), { scope: 'worker' }],
  visitors: [
    async ({ browser, world }, use) => {
      const visitors = visitorsOf(browser, world.url)
      await use(visitors)
      await visitors.close()
    },
    { scope: 'worker' },
  ],
  people: async ({ visitors, shop, world }, use, info) => {
    const people = visitors.people(shop)
    await use(people)
    reportFailure(world, info)
    await people.leave()
  },
  phone: async ({ shop }, use) => use(phoneOf(shop)),
})

/** Starts the product on a free port with a data folder of its own. Throws with the server's words when it does not. */
export async function startTestApp(env: Record<string, string> = {}): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-e2e-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  mkdirSync('test-results', { recursive: true })
  const log = join('test-results', `server-${port}.log`)
  const start = () => startServer({ PORT: String(port), DATA_DIR: dataDir, ...env }, url, log)
  let server = await start()
  return {
    url,
    log,
    async crashAndReturn() {
      await end(server, 'SIGKILL')
      server = await start()
    },
    async stop() {
      await end(server, 'SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** On failure the server's last output is printed: the folder of results may be gone by then. */
export function reportFailure({ log }: Served, { status, expectedStatus }: TestInfo) {
  if (status !== expectedStatus)
    console.log(`The server said last:\n${readFileSync(log, 'utf8').slice(-4000)}`)
}

const { PATH, NODE_COMPILE_CACHE } = process.env
/** Who is paid for invoices. */
const paidTo = { PIX_KEY: 'pix@balcao.test', PIX_NAME: 'Balcão', PIX_CITY: 'São Paulo' }
const inherited = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }

async function startServer(env: Record<string, string>, url: string, log: string) {
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited, HOST: '127.0.0.1', DEMO: '1', LOG_LEVEL: 'warn', ...paidTo, ...env },
  })
  const file = createWriteStream(log, { flags: 'a' })
  server.stdout.pipe(file, { end: false })
  server.stderr.pipe(file, { end: false })
  for (const deadline = Date.now() + 240_000; ; await pause(100)) {
    if (await isHealthy(url)) return server
    if (server.exitCode === null && Date.now() < deadline) continue
    server.kill('SIGKILL')
    throw new Error(`The server does not serve:\n${readFileSync(log, 'utf8').slice(-4000)}`)
  }
}

const isHealthy = (url: string) =>
  fetch(`${url}/health`).then(
    answer => answer.ok,
    () => false,
  )

/** A server that does not end by itself in time is ended, and that is an error. */
async function end(server: ChildProcess, signal: NodeJS.Signals) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise(resolve => server.once('exit', () => resolve(true)))
  server.kill(signal)
  if (await Promise.race([ended, pause(20_000)])) return
  server.kill('SIGKILL')
  throw new Error(`The server did not end within 20 s of ${signal}`)
}

const pause = (ms: number) => new Promise<false>(resolve => setTimeout(() => resolve(false), ms))

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise(listening => probe.once('listening', listening))
  const address = probe.address()
  await new Promise(closed => probe.close(closed))
  if (typeof address !== 'object' || !address) throw new Error('no free port')
  return address.port
}
