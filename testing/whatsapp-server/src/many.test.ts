import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, startClient } from './client.ts'
import { ANA } from './scene.ts'
import { until } from './wait.ts'

const SHOPS = Array.from({ length: 100 }, (_, at) => `55118${80_000_000 + at}`)
const ROUNDS = 10

let child: ChildProcess
let at: { url: string; control: string; rootPublicKey: string; media: { host: string; certificate: string } }
const clients: Client[] = []

beforeEach(async () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const env = { ...process.env, FEW_KEYS: '1' }
  child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout!), 'line')
  at = JSON.parse(line)
})

afterEach(async () => {
  for (const client of clients) await client.stop()
  child.kill()
  await once(child, 'exit')
})

async function call<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T> {
  const init = body ? { method, body: JSON.stringify(body) } : { method }
  return (await fetch(`${at.control}${path}`, init)).json() as Promise<T>
}

interface Stats {
  process: { rss: number; cpu: { user: number; system: number } }
  confirmed: Record<string, number>
  unknown: unknown[]
  errors: string[]
}

const seconds = ({ process: { cpu } }: Stats) => (cpu.user + cpu.system) / 1_000_000

/** A client for each shop, paired one after the other. */
async function linkAll(): Promise<void> {
  const rootPublicKey = Buffer.from(at.rootPublicKey, 'hex')
  for (const number of SHOPS) {
    await call('POST', '/phones', { number })
    const client = startClient({ ...at, rootPublicKey })
    clients.push(client)
    await call('POST', `/phones/${number}/scan`, { qr: await client.qr() })
  }
  for (const client of clients) {
    await client.opened()
    await until('its first sync', () => client.auth.creds.accountSyncCounter === 1, 30_000)
  }
}

test('a hundred clients on one server cost it little', async () => {
  const empty = await call<Stats>('GET', '/stats')
  await linkAll()
  const linked = await call<Stats>('GET', '/stats')
  await call('POST', '/phones', { number: ANA })
  for (let round = 0; round < ROUNDS; round++)
    for (const to of SHOPS)
      await call('POST', `/phones/${ANA}/messages`, { to, text: `carga ${round}`, plain: round > 0 })
  const lines = Array.from({ length: ROUNDS }, (_, round) => `carga ${round}`)
  for (const client of clients) {
    await until('its messages', () => client.texts().length === ROUNDS, 30_000)
    expect(client.texts()).toEqual(lines)
  }
  await expect
    .poll(async () => Object.keys((await call<Stats>('GET', '/stats')).confirmed).length, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(ROUNDS * SHOPS.length)
  const loaded = await call<Stats>('GET', '/stats')
  expect(loaded.errors).toEqual([])
  expect(loaded.unknown).toEqual([])
  const megabytes = (loaded.process.rss - empty.process.rss) / 1_000_000
  console.log(
    `100 clients: ${megabytes.toFixed(0)} MB; ${(seconds(linked) - seconds(empty)).toFixed(1)} s of CPU to pair them, ` +
      `${(seconds(loaded) - seconds(linked)).toFixed(1)} s for ${ROUNDS * SHOPS.length} messages`,
  )
  expect(megabytes).toBeLessThan(400)
}, 180_000)
