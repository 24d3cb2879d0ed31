import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type EmbeddedStore, embeddedStore, kill } from '../../testing/embedded.ts'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { type Process, runToEnd, startProcess } from '../../testing/process.ts'
import { redisServer } from '../../testing/redis.ts'
import { rounds, SEED } from '../../testing/sample.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const PREFIX = '5511989'
/** The product looks for its server every second, which starts within another one and recovers. */
const BACK_MS = 10_000
/** One after the other, in turn from one that the seed names: each way has its own test, too. */
const DEATHS = Number(process.env.EMBEDDED_DEATHS ?? rounds(1, 3))
const notLinux = process.platform === 'linux' ? '' : ' (reads /proc, which Linux has)'
const redis = await redisServer()
const noRedis = 'missing' in redis ? ` (${redis.missing})` : ''

describe.skipIf(notLinux)(`the database in DATA_DIR${notLinux}`, () => {
  let store: EmbeddedStore
  let product: Process
  let admin: Person

  async function start(env: Record<string, string> = {}) {
    product = await startProcess({ ...store.env, ...env })
    admin = await enter(product.url, 'admin@balcao.test')
  }
  beforeAll(async () => {
    store = await embeddedStore()
    await start()
  })
  afterAll(async () => {
    await product?.stop()
    await store?.remove()
  })

  /** Read once per check: the file may be gone between two reads. */
  function isAnother(pid: number) {
    const now = store.server()
    return now?.isReady && now.pid !== pid
  }
  const serves = async () => (await fetch(`${product.url}/health`)).status === 200

  let last = 0
  /** Customers write until `work` is over; answers which texts were acknowledged. */
  async function whileCustomersWrite(work: () => Promise<unknown>) {
    const params = { whatsappId: admin.user.whatsappId! }
    const [writing, taken] = [admin, [] as string[]]
    let isOver = false
    const customers = Array.from({ length: 4 }, async () => {
      const number = `${PREFIX}${100_000 + ++last}`
      for (let word = 1; !isOver; word++) {
        const body = `${word} de ${number}`
        const answer = await writing
          .call(simulator.write, { params, body: { number, body } })
          .catch(() => null)
        if (answer?.status === 200) taken.push(body)
        // refused calls are retried when it serves; a dead one serves none
        else await until(serves, BACK_MS).catch(() => {})
      }
    })
    await until(() => taken.length > 8)
    await work()
    isOver = true
    await Promise.all(customers)
    return taken
  }
  /** What was acknowledged is there once, with a ticket, and nothing else is. */
  async function isWhole(taken: string[]) {
    const isTaken = async () => {
      const { 'lost in': onPhones, 'left in inbound_events': left } = await figuresOf(store, PREFIX)
      return onPhones === 0 && left === 0
    }
    // what never comes shows in the figures
    await until(isTaken, 30_000 + 100 * taken.length).catch(() => {})
    const rows = await store.rows(`select body from messages where body like '% de ${PREFIX}%'`)
    const kept = new Set(rows.map(({ body }) => String(body)))
    expect(taken.filter(body => !kept.has(body))).toEqual([])
    expect(soundFigures(await figuresOf(store, PREFIX))).toEqual({})
  }

  test('is entered by its own user alone, and so is the folder of its socket', () => {
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(mode(store.dataDir)).toBe('700')
    const open = readdirSync(store.dataDir, { recursive: true, encoding: 'utf8' })
      .filter(name => !name.endsWith('.pid'))
      .filter(name => statSync(join(store.dataDir, name)).mode & 0o022)
    expect(open, 'nobody else writes').toEqual([])
    expect(mode(join(store.dataDir, 'postgres'))).toBe('700')
    expect(mode(join(store.dataDir, 'postgres.password'))).toBe('600')
    expect(mode(store.server()!.sockets!)).toBe('700')
  })

  test('a second product on the folder is refused in one line, which names it and the first', async () => {
    const { how, output } = await runToEnd(store.env)
    expect([how, output.trim().split('\n')]).toEqual([
      1,
      [
        `DATA_DIR ${store.dataDir} is in use by process ${product.pid}: stop it, or give this one a folder of its own`,
      ],
    ])
    expect(await serves()).toBe(true)
  })

  test('a server that dies by kill -9 is started again within seconds, and keeps what it took', async () => {
    const before = store.server()!
    const taken = await whileCustomersWrite(async () => {
      kill(before.pid)
      const from = performance.now()
      await until(() => isAnother(before.pid), BACK_MS)
      await until(serves, BACK_MS)
      console.log(`the server was killed: it serves again after ${Math.round(performance.now() - from)} ms`)
    })
    await isWhole(taken)
    // whoever has the old address finds the new server there
    expect(store.server()!.url).toBe(before.url)
  })

  test('a session of the server that dies by kill -9 costs nothing that was taken', async () => {
    const [session] = await store.rows(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
    )
    const taken = await whileCustomersWrite(async () => {
      kill(Number(session!.pid))
      await until(() => !store.postgres().includes(Number(session!.pid)))
      await until(serves, BACK_MS)
    })
    await isWhole(taken)
  })

  test('after kill -9 of the product the server that it left is stopped and replaced: there is one, never two', async () => {
    const left = store.server()!
    const taken = await whileCustomersWrite(() => product.kill())
    expect(store.postgres()).toContain(left.pid)
    await start()
    const now = store.server()!
    expect(now.pid).not.toBe(left.pid)
    expect(store.postgres()).not.toContain(left.pid)
    const parents = await store.rows(`select pg_read_file('postmaster.pid') as file`)
    expect(String(parents[0]!.file).split('\n')[0]).toBe(String(now.pid))
    await isWhole(taken)
  })

  test('after a power cut, product and server gone at once, the next start has all that was taken', async () => {
    const taken = await whileCustomersWrite(async () => {
      const all = store.postgres()
      const dead = product.kill()
      for (const pid of all) kill(pid)
      await dead
    })
    await until(() => store.postgres().length === 0)
    await start()
    await isWhole(taken)
  })

  test(`deaths of the product, the server or both, ${DEATHS} more, lose nothing and double nothing`, {
    timeout: 120_000 + DEATHS * 20_000,
  }, async () => {
    const taken: string[] = []
    for (let death = 0; death < DEATHS; death++) {
      const who = (['product', 'server', 'both'] as const)[(SEED + death) % 3]!
      const before = store.server()!
      const said = await whileCustomersWrite(async () => {
        if (who !== 'product') for (const pid of who === 'both' ? store.postgres() : [before.pid]) kill(pid)
        if (who !== 'server') return product.kill()
        await until(() => isAnother(before.pid), BACK_MS)
        await until(serves, BACK_MS)
      })
      if (who !== 'server') await start()
      taken.push(...said)
      if ((death + 1) % 20 === 0) console.log(`${death + 1} deaths, ${taken.length} messages taken`)
    }
    await isWhole(taken)
  })

  test('a stop that arrives as several signals, first that of a terminal that closes, while customers write, ends well: it leaves a folder alone, no process and no socket', async () => {
    const { sockets } = store.server()!
    const taken = await whileCustomersWrite(async () => {
      // the launcher, its npm and the service manager each pass one on
      for (const signal of ['SIGHUP', 'SIGTERM', 'SIGHUP'] as const) process.kill(product.pid, signal)
      expect(await product.ended).toBe(0)
    })
    expect(store.postgres()).toEqual([])
    expect(() => statSync(sockets!)).toThrow('ENOENT')
    await start()
    await isWhole(taken)
    await product.stop()
  })

  test.skipIf(noRedis)(
    `two products share it with ROLES and REDIS_URL; it stays while one of them works, and ends with the last${noRedis}`,
    async () => {
      const REDIS_URL = 'url' in redis ? redis.url : ''
      await start({ REDIS_URL, ROLES: 'web' })
      const server = store.server()!
      const behind = await startProcess({ ...store.env, REDIS_URL, ROLES: 'worker,channels' })
      expect(store.server()!.pid).toBe(server.pid)
      await isWhole(await whileCustomersWrite(async () => {}))
      await product.stop()
      expect(store.server()!.pid).toBe(server.pid)
      expect((await fetch(`${behind.url}/health`)).status).toBe(200)
      await behind.stop()
      expect(store.postgres()).toEqual([])
    },
  )
})
