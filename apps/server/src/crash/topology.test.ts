import { gapChannel } from '@balcao/contract/live.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { PRESENT, presenceChannel } from '@balcao/contract/presence.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type TicketPush, ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { figuresOf, soundFigures } from '../../testing/figures.ts'
import { reportFound } from '../../testing/found.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { openProxiedWire, type ProxiedWire } from '../../testing/proxy.ts'
import { redisServer } from '../../testing/redis.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, openTestApp, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const redis = await redisServer()
const missing = 'missing' in redis ? ` (${redis.missing})` : ''
const PREFIX = '5511988'

describe.skipIf(missing)(`two webs, a worker and the channels${missing}`, () => {
  let store: Store
  let wire: ProxiedWire
  let web1: Process
  let web2: Process
  const behind: Process[] = []
  let phone: number
  const people: Person[] = []
  const enterAt = async (web: Process, name: string) => {
    const person = await enter(web.url, `${name}@balcao.test`)
    people.push(person)
    return person
  }
  const env = (roles: string) => ({ ...store.env, REDIS_URL: wire.over(redisUrl), ROLES: roles })
  const redisUrl = 'url' in redis ? redis.url : ''

  beforeAll(async () => {
    if ('missing' in redis) return
    store = await freshStore()
    wire = await openProxiedWire(redis.url)
    const [one, two, ...others] = await Promise.all(
      ['web', 'web', 'worker', 'channels'].map(roles => startProcess(env(roles))),
    )
    web1 = one!
    web2 = two!
    behind.push(...others)
    phone = (await enterAt(web1, 'admin')).user.whatsappId!
  })
  afterAll(async () => {
    for (const person of people) person.close()
    for (const process of [web1, web2, ...behind]) await process?.stop()
    await wire?.close()
    await store?.remove()
  })

  const write = (person: Person, number: string, body: string) =>
    person.call(simulator.write, { params: { whatsappId: phone }, body: { number, name: 'Renata', body } })
  const phoneOf = (person: Person, number: string) =>
    person.get(simulator.chat, { params: { whatsappId: phone, number } })
  const send = (person: Person, ticketId: number, body: string) =>
    person.get(messages.send, { params: { ticketId, companyId: person.user.companyId }, body: { body } })
  const accept = (person: Person, ticketId: number) =>
    person.get(tickets.change, {
      params: { ticketId },
      body: { status: 'open', queueId: person.user.queues[0]!.id },
    })
  const waitingOf = (person: Person, number: string) =>
    until(async () => {
      const page = await person.get(tickets.list, { query: { status: 'pending' } })
      return page.tickets.find(ticket => ticket.contact.number === number)
    }, 15_000)

  test('what a customer writes on one web is heard on the other, and answered from there', async () => {
    const marina = await enterAt(web1, 'atendente')
    const caio = await enterAt(web2, 'caio')
    const heard = await caio.subscribe(ticketChannel)
    const texts = await marina.subscribe(messageChannel)
    const number = `${PREFIX}100001`
    const start = performance.now()
    await write(marina, number, 'Bom dia')
    const push = await until(
      () => heard.find(one => one.action === 'update' && one.ticket.contact.number === number),
      10_000,
    )
    console.log(`written on web 1, heard on web 2 after ${Math.round(performance.now() - start)} ms`)
    const waiting = await waitingOf(caio, number)
    // what is one's own of a ticket is in no push of it
    const shared = { ...waiting, pinned: undefined, following: undefined }
    expect(push.action === 'update' && push.ticket).toEqual(shared)

    const { id: ticketId } = await accept(caio, waiting.id)
    const answer = await send(caio, ticketId, 'Bom dia! Como posso ajudar?')
    const sent = await until(
      () =>
        texts.find(one => one.action === 'update' && one.message.id === answer.id && one.message.ack === 2),
      10_000,
    )
    expect((await phoneOf(marina, number)).map(message => message.body)).toEqual([
      'Bom dia',
      'Bom dia! Como posso ajudar?',
    ])
    const page = await marina.get(messages.list, { params: { ticketId } })
    expect(sent.action === 'update' && sent.message).toEqual(page.messages.at(-1))
  })

  test('who is demoted on one web has lost the right on the other within five seconds', async () => {
    const admin = await enterAt(web1, 'admin')
    const { user } = await enterAt(web1, 'bianca')
    const change = (body: { profile?: 'admin' | 'user'; queueIds?: number[] }) =>
      admin.get(users.change, { params: { userId: user.id }, body })
    await change({ profile: 'admin' })
    const bianca = await enterAt(web2, 'bianca')
    const heard = await bianca.subscribe(ticketChannel)
    const everyone = async () =>
      (await bianca.get(tickets.list, { query: { status: 'open', showAll: true } })).tickets.some(
        ticket => ticket.userId !== user.id,
      )
    expect(await everyone()).toBe(true)

    await change({ profile: 'user', queueIds: [] })
    const start = performance.now()
    await until(async () => !(await everyone()), 5_000)
    const ms = Math.round(performance.now() - start)
    // A ticket that a colleague holds in a queue that is no longer hers.
    const caio = await enterAt(web2, 'caio')
    await write(caio, `${PREFIX}100002`, 'segredo')
    const { id } = await accept(caio, (await waitingOf(caio, `${PREFIX}100002`)).id)
    await until(() => performance.now() - start > 5_000, 6_000)
    heard.length = 0
    await send(caio, id, 'só para o cliente')
    await until(async () => (await phoneOf(caio, `${PREFIX}100002`)).length === 2, 10_000)
    expect(heard).toEqual([])
    console.log(`demoted on web 1, no longer admin on web 2 after ${ms} ms`)
  })

  test('who is removed on one web is off the other within five seconds', async () => {
    const admin = await enterAt(web1, 'admin')
    const bianca = await enterAt(web2, 'bianca')
    const line = await bianca.socket()
    await admin.get(users.remove, { params: { userId: bianca.user.id } })
    const start = performance.now()
    await until(() => !line.connected, 5_000)
    const off = Math.round(performance.now() - start)
    await until(async () => (await bianca.call(tickets.list)).status === 401, 5_000)
    console.log(
      `removed on web 1: off web 2 after ${off} ms, refused after ${Math.round(performance.now() - start)} ms`,
    )
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  test('Redis may go away: everybody goes on working, screens hear what happens on their own web, and when it is back all are told to fetch what they missed', async () => {
    const marina = await enterAt(web1, 'atendente')
    const caio = await enterAt(web2, 'caio')
    const heard = await caio.subscribe(ticketChannel)
    const heardHere = await marina.subscribe(ticketChannel)
    const gaps = [await marina.subscribe(gapChannel), await caio.subscribe(gapChannel)]
    const crowd = Array.from({ length: 10 }, (_, place) =>
      write(marina, `${PREFIX}2000${10 + place}`, `oi ${place}`),
    )
    await Promise.race(crowd)
    await wire.cut()
    for (const answer of await Promise.all(crowd)) expect(answer.status).toBe(200)
    const number = `${PREFIX}100003`
    expect((await write(marina, number, 'no escuro')).status).toBe(200)
    const { id } = await accept(marina, (await waitingOf(marina, number)).id)
    await send(marina, id, 'também')
    await until(async () => (await phoneOf(caio, number)).length === 2, 10_000)
    for (const web of [web1, web2]) {
      const health = async () => (await fetch(`${web.url}/health`)).json()
      await until(async () => ((await health()) as { redis: string }).redis === 'down')
      expect(await health()).toMatchObject({ status: 'ok', database: 'up', redis: 'down' })
    }
    const isOfIt = (one: TicketPush) => one.action === 'update' && one.ticket.contact.number === number
    await until(() => heardHere.some(isOfIt))
    expect(heard.some(isOfIt)).toBe(false)

    await wire.mend()
    await until(() => gaps.every(told => told.length > 0), 20_000)
    const page = await caio.get(tickets.list, { query: { tab: 'search', searchParam: number } })
    expect(page.tickets.map(({ id }) => id)).toEqual([id])
    const later = `${PREFIX}100004`
    const messagesThere = await caio.subscribe(messageChannel)
    await until(async () => {
      await write(marina, later, `de volta? ${performance.now()}`)
      return messagesThere.some(push => push.action !== 'delete' && push.ticket.contact.number === later)
    }, 20_000)
  })

  test('one web dies in the middle of everything and nothing is lost', async () => {
    const here = await enterAt(web1, 'atendente')
    const there = await enterAt(web2, 'atendente')
    const number = `${PREFIX}100005`
    await write(here, number, 'começo')
    const { id: ticketId } = await accept(here, (await waitingOf(here, number)).id)
    const params = { ticketId, companyId: here.user.companyId }
    const drafts = Array.from({ length: 15 }, (_, place) => ({
      id: crypto.randomUUID(),
      body: `resposta ${place}`,
    }))
    const unanswered: typeof drafts = []
    let sent = 0
    for (const draft of drafts) {
      if (++sent === 8) setTimeout(() => void web1.kill(), 2)
      const answer = await here.call(messages.send, { params, body: draft }).catch(() => null)
      if (answer?.status !== 200) unanswered.push(draft)
    }
    expect(unanswered.length).toBeGreaterThan(0)
    // What got no answer the screen sends again, through whoever is left.
    for (const draft of unanswered)
      expect((await there.get(messages.send, { params, body: draft })).id).toBe(draft.id)
    expect((await write(there, number, 'ainda aqui')).status).toBe(200)
    const shown = await until(async () => {
      const list = await phoneOf(there, number)
      return list.length >= 17 && list
    }, 20_000)
    expect(shown.filter(message => message.fromMe).map(message => message.body)).toEqual(
      drafts.map(draft => draft.body),
    )
    web1 = await startProcess(env('web'))
    const back = await enterAt(web1, 'atendente')
    await until(
      async () => (await back.get(messages.list, { params: { ticketId } })).messages.length === 17,
      10_000,
    )
    console.log(
      `one web died: ${drafts.length - unanswered.length} answered, ${unanswered.length} sent again, 15 arrived`,
    )
  })

  test('another installation on the same Redis hears nothing of it', async () => {
    // its secret makes an installation
    const theirs = await openTestApp({ REDIS_URL: wire.over(redisUrl) })
    const stranger = await theirs.as('atendente@balcao.test')
    const heard = await stranger.subscribe(ticketChannel)
    const marina = await enterAt(web2, 'atendente')
    const ours = await marina.subscribe(ticketChannel)
    expect(marina.user.companyId).toBe(stranger.user.companyId)
    await write(marina, `${PREFIX}100006`, 'só nosso')
    await until(() => ours.length > 0, 10_000)
    await new Promise(done => setTimeout(done, 500))
    expect(heard).toEqual([])
    await theirs.close()
  })

  test('who is in a ticket on one web is seen on the other, and gone within ten seconds of its last report', async () => {
    const [marina, caio] = [await enterAt(web1, 'atendente'), await enterAt(web2, 'caio')]
    const seen = await caio.subscribe(presenceChannel)
    const number = `${PREFIX}100007`
    await write(marina, number, 'Oi')
    const { id: ticketId } = await waitingOf(marina, number)
    const line = await marina.socket()
    line.emit(PRESENT, { ticketId, doing: 'looking' })
    const now = () => seen.findLast(one => one.ticketId === ticketId)?.users.length
    await until(() => now() === 1)
    // a closed lid: it reports nothing more, and the line stays open
    const from = performance.now()
    await until(() => now() === 0)
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  test('nothing is lost, nothing doubled, nothing waits', async () => {
    await new Promise(done => setTimeout(done, 2_500))
    const figures = await figuresOf(store, PREFIX)
    console.log('topology:', figures)
    reportFound(1, figures)
    expect(figures['customers wrote']).toBeGreaterThan(15)
    expect(soundFigures(figures)).toEqual({})
  })

  test('everybody stops in good order', async () => {
    for (const process of [web1, web2, ...behind]) {
      await process.stop()
      expect(await process.ended).toBe(0)
    }
  })
})
