import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { reportFound } from '../../testing/found.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const PREFIX = '5511987'
/** A lease lives so long after its owner's last renewal, every 1.5 s, and others try to claim it every second. */
const LEASE_MS = 6_000
const MOVED_MS = 10_000
/** What a busy machine is given for what a calm one does at once. */
const PATIENCE_MS = 60_000
/** A message that a user of the owner wrote is stored as leaving. */
const HANDS_OVER = 'driver.ts#sendChecked:before'

describe('two processes want one connection', () => {
  let store: Store
  /** The one that runs the connection, and the one that would. */
  let owner: Process
  let other: Process
  /** Works on the process that survives. */
  let marina: Person
  let phone: number

  const lease = async () => {
    const [row] = await store.rows(
      `select owner, epoch::int, expires_at > now() as living from whatsapp_leases where whatsapp_id = ${phone}`,
    )
    return row as { owner: string; epoch: number; living: boolean }
  }
  /** Waits until the owner has missed a renewal: it may reach the point of its end seconds later than it was ordered. Answers when it last renewed. */
  async function silent() {
    const left = await until(async () => {
      const [row] = await store.rows(
        `select extract(epoch from expires_at - clock_timestamp()) * 1000 as left from whatsapp_leases where whatsapp_id = ${phone}`,
      )
      return Number(row!.left) < LEASE_MS / 2 && { ms: Number(row!.left) }
    }, PATIENCE_MS)
    return performance.now() - (LEASE_MS - left.ms)
  }

  beforeAll(async () => {
    store = await freshStore()
    owner = await startProcess(store.env)
    phone = (await enter(owner.url, 'atendente@balcao.test')).user.whatsappId!
    await until(async () => (await lease())?.living, PATIENCE_MS)
    // of several connections a second process gets its share
    await store.rows(`update whatsapps set wanted = 'off' where id <> ${phone}`)
    await store.rows(`delete from whatsapp_leases where whatsapp_id <> ${phone}`)
    await startOther()
  })
  afterAll(async () => {
    await owner?.stop()
    await store?.remove()
  })
  /** Beside the owner. */
  async function startOther() {
    other = await startProcess(store.env)
    marina = await enter(other.url, 'atendente@balcao.test')
  }

  const write = (number: string, body: string) =>
    marina.get(simulator.write, { params: { whatsappId: phone }, body: { number, name: 'Renata', body } })
  const phoneOf = (number: string) => marina.get(simulator.chat, { params: { whatsappId: phone, number } })
  const openWith = async (number: string) => {
    await write(number, `oi de ${number}`)
    const waiting = await until(async () => {
      const page = await marina.get(tickets.list, { query: { status: 'pending' } })
      return page.tickets.find(ticket => ticket.contact.number === number)
    }, PATIENCE_MS)
    const body = { status: 'open' as const, queueId: marina.user.queues[0]!.id }
    return (await marina.get(tickets.change, { params: { ticketId: waiting.id }, body })).id
  }
  const send = (ticketId: number, body: string, person = marina) =>
    person.get(messages.send, { params: { ticketId, companyId: person.user.companyId }, body: { body } })
  /** Waits until the connection has another owner; answers how long after its owner's last renewal that was. */
  async function moved(before: { owner: string; epoch: number }) {
    const last = await silent()
    const after = await until(async () => {
      const now = await lease()
      return now.epoch > before.epoch && now
    }, PATIENCE_MS)
    expect(after.owner).not.toBe(before.owner)
    return Math.round(performance.now() - last)
  }
  test('while both live the first keeps it', async () => {
    const before = await lease()
    for (let look = 0; look < 8; look++) {
      await new Promise(done => setTimeout(done, 500))
      expect(await lease()).toEqual({ ...before, living: true })
    }
  })

  test('after kill -9 of its owner it moves within ten seconds, and what waited arrives once', async () => {
    const ticketId = await openWith(`${PREFIX}100001`)
    const before = await lease()
    await owner.kill()
    await write(`${PREFIX}100001`, 'alguém aí?')
    await send(ticketId, 'estou aqui')
    const ms = await moved(before)
    console.log(`kill -9 of the owner: the connection moved in ${ms} ms`)
    expect(ms).toBeLessThan(MOVED_MS)
    const shown = await until(async () => {
      const list = await phoneOf(`${PREFIX}100001`)
      return list.length >= 3 && list
    }, PATIENCE_MS)
    expect(shown.filter(message => message.fromMe).map(message => message.body)).toEqual(['estou aqui'])
    owner = other
  })

  const frozen = [
    ['between two things', null],
    ['inside a commit, holding its locks', 'features/messages/messages.queries.ts#insertMessages:after'],
    ['just before a message leaves', 'features/simulator/simulator.actions.ts#deliver:before'],
    ['just after a message left', 'features/simulator/simulator.actions.ts#deliver:after'],
    ['that stored what it is about to send', HANDS_OVER],
  ] as const
  /** What a customer and the company write while the owner is suspended, and its state before and after it resumes. */
  async function sleepsThrough(what: string, point: string | null) {
    const number = `${PREFIX}${200_000 + Math.floor(Math.random() * 800_000)}`
    const ticketId = await openWith(number)
    const held = await lease()
    const atOwner = await enter(owner.url, 'atendente@balcao.test')
    if (point) await owner.freezeAt(point)
    else owner.freeze()
    await write(number, `durante de ${number}`)
    // The attendant works on the process that is awake, what leaves is the owner's business; or on the owner, and gets no answer.
    if (point === HANDS_OVER) void send(ticketId, `resposta a ${number}`, atOwner).catch(() => {})
    else await send(ticketId, `resposta a ${number}`)
    const ms = await moved(held)
    console.log(`frozen ${what}: the connection moved in ${ms} ms`)
    expect(ms).toBeLessThan(MOVED_MS)
    const settled = async () => {
      const page = await marina.get(messages.list, { params: { ticketId } })
      return page.messages.length === 3 && page.messages.every(message => message.ack >= 2)
    }
    await until(settled, PATIENCE_MS)
    const written = () =>
      store.rows(`select to_jsonb(m) as message, to_jsonb(t) as ticket from messages m
        join tickets t on t.id = m.ticket_id where t.id = ${ticketId} order by m.position`)
    const before = await written()
    const after = await lease()
    owner.wake()
    await new Promise(done => setTimeout(done, 4_000)) // long enough for its clocks to strike
    expect(await written()).toEqual(before)
    expect(await lease()).toEqual({ ...after, living: true })
    expect((await phoneOf(number)).map(message => message.body).sort()).toEqual([
      `durante de ${number}`,
      `oi de ${number}`,
      `resposta a ${number}`,
    ])
    expect((await fetch(`${owner.url}/health`)).status).toBe(200)
  }

  const tried = sample(frozen, 1)
  test.each(tried)('an owner frozen %s loses it, and writes nothing when it wakes', async (what, point) => {
    await startOther()
    try {
      await sleepsThrough(what, point)
    } finally {
      // a second try finds two that are awake
      owner.wake()
      await owner.stop()
      owner = other
    }
  })

  test('and in all that nothing was lost or doubled', async () => {
    await owner.stop()
    const figures = await figuresOf(store, PREFIX)
    console.log('owners killed and frozen:', figures)
    reportFound(1 + tried.length, figures)
    expect(soundFigures(figures)).toEqual({})
  })
})
