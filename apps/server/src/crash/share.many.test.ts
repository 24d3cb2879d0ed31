import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { rounds } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const PREFIX = '5511984'
const PATIENCE_MS = 90_000
/** Who took over what was overdue gives nothing back for a minute, and then two a second. */
const SHARED_MS = 240_000
const NUMBERS = rounds(24, 400)
/** Numbers on which people write all the time; a message goes to each of the others now and then. */
const TALKING = 12
/** Processes may have so many more connections than another. */
const APART = Math.max(1, Math.ceil(NUMBERS / 3 / 10))

describe(`three processes share ${NUMBERS} connections, without Redis`, () => {
  let store: Store
  let web: Process
  let admin: Person
  let phones: number[]
  const running: Process[] = []

  const start = async (roles: string) => startProcess({ ...store.env, ROLES: roles })
  const counts = async () => {
    const rows = await store.rows(
      `select owner, count(*)::int as many from whatsapp_leases where expires_at > now() group by owner`,
    )
    return rows.map(({ many }) => many as number)
  }
  const served = async () => (await counts()).reduce((sum, many) => sum + many, 0) === NUMBERS
  const even = async (processes: number) => {
    const found = await counts()
    return found.length === processes && (await served()) && Math.max(...found) - Math.min(...found) <= APART
  }
  const msUntil = async (holds: () => Promise<boolean>) => {
    const from = performance.now()
    await until(holds, SHARED_MS)
    return Math.round(performance.now() - from)
  }

  beforeAll(async () => {
    store = await freshStore()
    const [demo] = await store.rows(`select company_id from users where email = 'admin@balcao.test'`)
    await store.rows(`update whatsapps set wanted = 'off', status = 'DISCONNECTED'`)
    const rows = await store.rows(
      `insert into whatsapps (company_id, name, lib, status, number, wanted, wanted_order)
        select ${demo!.company_id}, 'Linha ' || n, 'simulator', 'DISCONNECTED', '5511300' || (10000 + n), 'on', 1
        from generate_series(1, ${NUMBERS}) n returning id`,
    )
    phones = rows.map(({ id }) => id as number)
    web = await start('web,worker')
    running.push(...(await Promise.all(['channels', 'channels', 'channels'].map(start))))
    admin = await enter(web.url, 'admin@balcao.test')
  })
  afterAll(async () => {
    for (const process of [web, ...running]) await process?.stop()
    await store?.remove()
  })

  test('a killed one is replaced by the others within fifteen seconds, one that comes gets its share, and what is written meanwhile is there once', async () => {
    console.log(
      `${NUMBERS} connections were shared ${await msUntil(() => even(3))} ms after their processes started`,
    )
    const traffic = openTraffic(admin, phones)
    await until(() => traffic.begun())
    await running.pop()!.kill()
    // its leases count until they end
    const afterDeath = await msUntil(async () => (await counts()).length === 2 && (await served()))
    console.log(`all served ${afterDeath} ms after kill -9`)
    running.push(await start('channels'))
    const afterStart = await msUntil(() => even(3))
    const many = await traffic.stop()
    console.log(`shared among three ${afterStart} ms after another one served; ${many} messages`)
    expect(afterDeath).toBeLessThan(15_000)
    await until(async () => (await figuresOf(store, PREFIX))['left in outbox'] === 0, PATIENCE_MS)
    await until(async () => Object.keys(soundFigures(await figuresOf(store, PREFIX))).length === 0)
    const figures = await figuresOf(store, PREFIX)
    expect(figures['customers wrote']! + figures['company wrote']!).toBeGreaterThanOrEqual(many)
  })
})

/** Customers write on all numbers in turn, and are answered on some of them. */
function openTraffic(admin: Person, phones: number[]) {
  let isOver = false
  let many = 0
  const numberOf = (phone: number) => `${PREFIX}${100_000 + phone}`
  const write = async (phone: number, body: string) => {
    await admin.get(simulator.write, {
      params: { whatsappId: phone },
      body: { number: numberOf(phone), name: 'Renata', body },
    })
    many++
  }
  async function accept(phone: number) {
    const waiting = await until(async () => {
      const query = { tab: 'search' as const, searchParam: numberOf(phone), showAll: true }
      return (await admin.get(tickets.list, { query })).tickets[0]
    }, PATIENCE_MS)
    const body = { status: 'open' as const, queueId: admin.user.queues[0]!.id }
    return (await admin.get(tickets.change, { params: { ticketId: waiting.id }, body })).id
  }
  let begun = 0
  async function talk(phone: number) {
    await write(phone, `oi em ${phone}`)
    const params = { ticketId: await accept(phone), companyId: admin.user.companyId }
    begun++
    for (let at = 0; !isOver; at++) {
      await write(phone, `pergunta ${at} em ${phone}`)
      await admin.get(messages.send, { params, body: { body: `resposta ${at} em ${phone}` } })
      many++
      await paused(200)
    }
  }
  async function knock(rest: number[]) {
    for (let at = 0; !isOver && rest.length > 0; at++) {
      await write(rest[at % rest.length]!, `oi ${at}`)
      await paused(20)
    }
  }
  const talking = Promise.all([...phones.slice(0, TALKING).map(talk), knock(phones.slice(TALKING))])
  return {
    begun: () => begun === Math.min(TALKING, phones.length),
    async stop() {
      isOver = true
      await talking
      return many
    },
  }
}

/** Between two calls of one person. */
function paused(ms: number) {
  const end = performance.now() + ms
  return until(() => performance.now() > end)
}
