import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { trust } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANA, draws, type MemoryHost, newDriver, openHost } from '../../../../testing/whatsapp.ts'
import type { ChannelSession, Driver } from '../../../driver.ts'

// Many numbers in one process, against a server in another. For the figures of a whole process set FLEET=100.

const SIZE = Number(process.env.FLEET ?? 8)
const EACH = 5
/** Writes to the one that misbehaves: what waits at her own phone is none of the others' business. */
const BIA = '5511922222222'
const LONG = 60_000 + SIZE * 6_000

interface Member {
  number: string
  host: MemoryHost
  session: ChannelSession
}

let child: ChildProcess
let at: { url: string; control: string }
/** As the product runs it. */
let driver: Driver
const fleet: Member[] = []
const figures: Record<string, number> = {}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const megabytes = () => {
  collect()
  return process.memoryUsage().rss / 2 ** 20
}

async function ask(method: string, path: string, body?: object) {
  const init = body ? { method, body: JSON.stringify(body) } : { method }
  const response = await fetch(`${at.control}${path}`, init)
  const answer = (await response.json()) as Record<string, string> & { error?: string }
  if (answer.error) throw new Error(answer.error)
  return answer
}

const isConnected = ({ host }: Member) => host.state.status === 'CONNECTED'

/** Waits until all are connected; answers when the first, half and the last of them were, in seconds. */
async function spread(what: string, isIn: (member: Member) => boolean) {
  const begun = performance.now()
  const at = new Map<Member, number>()
  await until(
    what,
    () => {
      for (const member of fleet)
        if (!at.has(member) && isIn(member)) at.set(member, (performance.now() - begun) / 1_000)
      return at.size === fleet.length
    },
    LONG,
  )
  const seconds = [...at.values()].toSorted((a, b) => a - b)
  figures[`seconds until the first is ${what}`] = seconds[0]!
  figures[`half are ${what}`] = seconds[Math.floor(seconds.length / 2)]!
  figures[`all are ${what}`] = seconds.at(-1)!
}

beforeAll(async () => {
  const main = fileURLToPath(import.meta.resolve('@balcao/whatsapp-server/main.ts'))
  child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout!), 'line')
  const said = JSON.parse(line)
  at = said
  trust({ ...said, rootPublicKey: Buffer.from(said.rootPublicKey, 'hex') })
  driver = newDriver(at)
  for (const number of [ANA, BIA]) await ask('POST', '/phones', { number, name: 'Cliente' })
})

afterAll(async () => {
  await Promise.all(fleet.map(({ session }) => session.close({ logout: false })))
  child.kill()
  await once(child, 'exit')
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  const load = loadavg().map(value => value.toFixed(1))
  console.log(`fleet of ${SIZE}: ${shown.join(', ')}; load ${load.join(' ')}`)
})

test('every number of a fleet is linked', { timeout: LONG }, async () => {
  const before = megabytes()
  for (let n = 0; n < SIZE; n++) {
    const number = `55119${String(70_000_000 + n)}`
    await ask('POST', '/phones', { number, name: `Loja ${n}` })
    const host = openHost({ latencyMs: 1 })
    const member = { number, host, session: await driver.open(host) }
    fleet.push(member)
    await ask('POST', `/phones/${number}/scan`, {
      qr: await until('a code', () => host.state.qrcode || null),
    })
    await until('the connection', () => isConnected(member), 20_000)
    await ask('POST', `/phones/${number}/offline`)
  }
  figures['MB a number (its keys in memory included)'] = (megabytes() - before) / SIZE
})

test('all of them come back together, and the process stays awake', { timeout: LONG }, async () => {
  await Promise.all(fleet.map(({ session }) => session.close({ logout: false })))
  for (const { host } of fleet) host.state.status = 'DISCONNECTED'
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const opening = Promise.all(
    fleet.map(async member => {
      member.session = await driver.open(member.host)
    }),
  )
  await spread('connected', isConnected)
  await opening
  delay.disable()
  figures['ms the process was longest away'] = delay.max / 1e6
  expect(delay.max / 1e6).toBeLessThan(1_000)
})

test('a fleet that nobody writes to needs hardly any time', { timeout: LONG }, async () => {
  await sleep(1_000)
  const before = process.cpuUsage()
  await sleep(4_000)
  const { user, system } = process.cpuUsage(before)
  const percent = ((user + system) / 4_000_000) * 100
  figures['% of a core when idle'] = percent
  expect(percent).toBeLessThan(50)
})

test('after the network broke for all of them they come back by themselves', { timeout: LONG }, async () => {
  const before = fleet.map(({ host }) => host.states.length)
  await ask('POST', '/drop', {})
  const isBack = (member: Member) =>
    member.host.states.length > before[fleet.indexOf(member)]! && isConnected(member)
  await spread('back', isBack)
})

/** Writes to all of these, and answers how long each message took until the application had it, in ms. */
async function traffic(members: Member[]): Promise<number[]> {
  const took: number[] = []
  for (let round = 0; round < EACH; round++)
    await Promise.all(
      members.map(async ({ number, host }, place) => {
        await sleep(place * 5)
        const begun = performance.now()
        const { id } = await ask('POST', `/phones/${ANA}/messages`, { to: number, text: `linha ${round}` })
        await until('the message', () => host.messages().some(({ externalId }) => externalId === id), 30_000)
        took.push(performance.now() - begun)
      }),
    )
  return took.toSorted((a, b) => a - b)
}

const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)]!

test('a number with slow storage and a broken line holds up none of the others', {
  timeout: LONG,
}, async () => {
  const [bad, ...others] = fleet
  // The first message to a number is slower than the next ones: a session is made for it.
  await traffic(others)
  const calm = await traffic(others)
  const random = draws(1)
  bad!.host.latencyMs = 400
  // One that insists far more than the product lets it.
  await bad!.session.close({ logout: false })
  bad!.session = await newDriver(at, { firstMs: 20, mostMs: 100, restMs: 400 }).open(bad!.host)
  let isOver = false
  const flapping = (async () => {
    while (!isOver) {
      await ask('POST', '/drop', { number: bad!.number })
      await sleep(60 + random() * 120)
    }
  })()
  const writing = (async () => {
    while (!isOver) {
      await ask('POST', `/phones/${BIA}/messages`, { to: bad!.number, text: 'alguém?' })
      await sleep(20)
    }
  })()
  const beside = await traffic(others)
  isOver = true
  await Promise.all([flapping, writing])
  figures['ms until a message is heard (p95)'] = p95(calm)
  figures['beside a bad one'] = p95(beside)
  for (const { host } of others) {
    const ids = host.messages().map(({ externalId }) => externalId)
    expect(ids).toHaveLength(3 * EACH)
    expect(new Set(ids).size).toBe(ids.length)
  }
  expect(p95(beside)).toBeLessThan(2 * p95(calm) + 500)
})
