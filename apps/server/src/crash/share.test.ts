import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const PREFIX = '5511985'
const PATIENCE_MS = 60_000
const NUMBERS = 10

describe('two processes share ten connections', () => {
  let store: Store
  let first: Process
  let second: Process
  let admin: Person
  let phones: number[]
  const ticketIds = new Map<number, number>()

  const leases = async () =>
    (await store.rows(
      `select whatsapp_id as id, owner, epoch::int from whatsapp_leases where expires_at > now() order by whatsapp_id`,
    )) as { id: number; owner: string; epoch: number }[]
  const counts = async () => {
    const owners = Map.groupBy(await leases(), ({ owner }) => owner)
    return [...owners.values()].map(({ length }) => length).sort((a, b) => a - b)
  }
  /** Answers after how many milliseconds each process had so many. */
  async function shared(as: number[]) {
    const start = performance.now()
    await until(async () => JSON.stringify(await counts()) === JSON.stringify(as), PATIENCE_MS)
    return Math.round(performance.now() - start)
  }
  const numberOf = (phone: number) => `${PREFIX}${100_000 + phone}`
  const chatOf = (phone: number) =>
    admin.get(simulator.chat, { params: { whatsappId: phone, number: numberOf(phone) } })
  const write = (phone: number, body: string) =>
    admin.get(simulator.write, {
      params: { whatsappId: phone },
      body: { number: numberOf(phone), name: 'Renata', body },
    })
  /** A customer and the company write on each connection. */
  const talk = (about: string) =>
    Promise.all(
      phones.map(async phone => {
        const params = { ticketId: ticketIds.get(phone)!, companyId: admin.user.companyId }
        await write(phone, `pergunta ${about} em ${phone}`)
        await admin.get(messages.send, { params, body: { body: `resposta ${about} em ${phone}` } })
      }),
    )
  /** Everything arrived on both sides, once. */
  async function settled(topics: string[]) {
    for (const phone of phones) {
      const talked = topics.flatMap(about => [
        `pergunta ${about} em ${phone}`,
        `resposta ${about} em ${phone}`,
      ])
      await until(async () => (await chatOf(phone)).length > talked.length, PATIENCE_MS)
      expect((await chatOf(phone)).map(({ body }) => body).sort()).toEqual(
        [`oi em ${phone}`, ...talked].sort(),
      )
    }
  }

  beforeAll(async () => {
    store = await freshStore()
    const [demo] = await store.rows(`select company_id from users where email = 'admin@balcao.test'`)
    await store.rows(`update whatsapps set wanted = 'off', status = 'DISCONNECTED'`)
    const rows = await store.rows(
      `insert into whatsapps (company_id, name, lib, status, number, wanted, wanted_order)
        select ${demo!.company_id}, 'Linha ' || n, 'simulator', 'DISCONNECTED', '551130000' || (10 + n), 'on', 1
        from generate_series(1, ${NUMBERS}) n returning id`,
    )
    phones = rows.map(({ id }) => id as number)
    first = await startProcess(store.env)
    admin = await enter(first.url, 'admin@balcao.test')
    await shared([NUMBERS])
    for (const phone of phones) await write(phone, `oi em ${phone}`)
    for (const phone of phones) {
      const waiting = await until(async () => {
        const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
        return page.tickets.find(({ contact }) => contact.number === numberOf(phone))
      }, PATIENCE_MS)
      const body = { status: 'open' as const, queueId: admin.user.queues[0]!.id }
      ticketIds.set(phone, (await admin.get(tickets.change, { params: { ticketId: waiting.id }, body })).id)
    }
  })
  afterAll(async () => {
    for (const process of [second, first]) await process?.stop()
    await store?.remove()
  })

  test('the first gives five back one by one, and nothing of what is written meanwhile is lost or doubled', async () => {
    second = await startProcess(store.env)
    const start = performance.now()
    const sharing = shared([5, 5])
    for (let round = 0; round < 3; round++) await talk(`na partilha ${round}`)
    await sharing
    console.log(`shared five and five after ${Math.round(performance.now() - start)} ms`)
    await settled([0, 1, 2].map(round => `na partilha ${round}`))
  })

  test('where one lease of several is lost, only that connection is left', async () => {
    const before = await leases()
    const [lost, ...kept] = before
    await store.rows(
      `update whatsapp_leases set owner = 'another', epoch = epoch + 1, expires_at = now() + interval '5 seconds'
        where whatsapp_id = ${lost!.id}`,
    )
    await until(async () => {
      const now = await leases()
      expect(now.filter(({ id }) => id !== lost!.id)).toEqual(kept)
      return now.some(({ id, epoch }) => id === lost!.id && epoch > lost!.epoch + 1)
    }, PATIENCE_MS)
    await shared([5, 5])
    expect((await leases()).filter(({ id }) => id !== lost!.id)).toEqual(kept)
  })

  test('of a frozen process all are taken over; awake it writes nothing, and gets its share again', async () => {
    second.freeze()
    await talk('no gelo')
    const ms = await shared([NUMBERS])
    console.log(`all ten are back ${ms} ms after their process froze`)
    expect(ms).toBeLessThan(15_000)
    second.wake()
    await shared([5, 5])
    await settled([...[0, 1, 2].map(round => `na partilha ${round}`), 'no gelo'])
  })

  test('of a killed process all are back within fifteen seconds', async () => {
    await talk('na morte')
    await second.kill()
    const ms = await shared([NUMBERS])
    console.log(`all ten are back ${ms} ms after kill -9`)
    expect(ms).toBeLessThan(15_000)
    await settled([...[0, 1, 2].map(round => `na partilha ${round}`), 'no gelo', 'na morte'])
  })

  test('a process that stops in order gives all back at once', async () => {
    second = await startProcess(store.env)
    await shared([5, 5])
    await talk('no fim')
    await second.stop()
    const ms = await shared([NUMBERS])
    console.log(`all ten are back ${ms} ms after the end`)
    expect(ms).toBeLessThan(5_000)
    await settled([...[0, 1, 2].map(round => `na partilha ${round}`), 'no gelo', 'na morte', 'no fim'])
    await first.stop()
    expect(soundFigures(await figuresOf(store, PREFIX))).toEqual({})
  })
})
