import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber } from '../../../testing/rows.ts'
import { picture } from '../../../testing/samples.ts'
import { openTestApp, type Person, removalsDone, type TestApp, until } from '../../../testing/test-app.ts'
import type { ChannelConnection } from '../../channels/connection.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import { fetchDueMedia } from '../../channels/media.ts'
import { type ChannelSession, type Chat, Gone, type InboundEvent } from '../../driver.ts'
import { keyRows } from '../connections/connections.keys.queries.ts'
import { filesDue } from './inbound/media.queries.ts'

type InboundMessage = Extract<InboundEvent, { kind: 'message' }>

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
  const queueIds = (await admin.get(queues.list)).slice(0, 2).map(({ id }) => id)
  const body = { greetingMessage: 'Olá!', queueIds }
  await admin.get(connections.change, { params: { whatsappId }, body })
})
afterAll(() => app.close())

const receiving = (id: number, more: Partial<ChannelConnection> = {}) =>
  connectionOf(app.platform, { companyId: admin.user.companyId, whatsappId: id }, more)
const receive = (...payload: InboundEvent[]) => receiveInbound(receiving(whatsappId), [payload])

function somebody() {
  const begun = Date.now() - 10_000
  const at = (seconds: number) => new Date(begun + seconds * 1_000).toISOString()
  const number = newNumber()
  const chat: Chat = { kind: 'phone', value: number }
  const common = { chat, fromMe: false, name: 'Rita' }
  const message = (body: string, second = 0): InboundMessage => ({
    ...common,
    kind: 'message',
    externalId: `N${randomUUID()}`,
    body,
    mediaType: null,
    at: at(second),
  })
  const placeholderOf = (one: InboundMessage): InboundMessage => {
    const { chat, fromMe, name, externalId, kind, at } = one
    return { kind, chat, fromMe, name, externalId, body: '', mediaType: 'ciphertext', at }
  }
  const edit = ({ externalId }: InboundMessage, body: string | null, second: number): InboundEvent => ({
    ...common,
    kind: 'edit',
    externalId: `E${second}${externalId}`,
    target: { externalId, fromMe: false },
    body,
    at: at(second),
  })
  const ticketIn = async (status: 'pending' | 'closed') => {
    const { tickets: found } = await admin.get(tickets.list, { query: { status, showAll: true } })
    return found.find(one => one.contact.number === number)
  }
  const ticket = () => until(() => ticketIn('pending'))
  const shown = async () => {
    const { id: ticketId } = await ticket()
    return (await admin.get(messages.list, { params: { ticketId } })).messages
  }
  const greetings = async () => {
    const all = await admin.get(simulator.chat, { params: { whatsappId, number } })
    return all.filter(one => one.fromMe).map(one => one.body.split('\n')[0])
  }
  return { message, placeholderOf, edit, ticket, ticketIn, shown, greetings }
}

describe('a message without its content', () => {
  test('opens a ticket, unread, and is greeted when its content comes, once, in its place', async () => {
    const { message, placeholderOf, ticket, shown, greetings } = somebody()
    const first = message('Vim pelo anúncio')
    await receive(placeholderOf(first), placeholderOf(first))
    const waiting = await ticket()
    expect(waiting).toMatchObject({ unreadMessages: 1, lastMessageType: 'ciphertext' })
    expect(waiting.waitingSince).not.toBeNull()
    const [before] = await shown()
    expect(before).toMatchObject({ mediaType: 'ciphertext', body: '' })
    await receive(first, first, placeholderOf(first))
    await until(async () => (await greetings()).length === 1)
    const [after, greeting, ...more] = await shown()
    expect(after).toMatchObject({
      id: before!.id,
      position: before!.position,
      mediaType: null,
      body: first.body,
    })
    expect([greeting!.source, more]).toEqual(['greeting', []])
    expect(await ticket()).toMatchObject({ unreadMessages: 1 })
    const { messages: found } = await admin.get(messages.list, {
      params: { ticketId: waiting.id },
      query: { searchTerm: 'anúncio' },
    })
    expect(found.map(({ id }) => id)).toContain(before!.id)
  })

  test('leaves the greeting to the next that can be read, and is no answer to it when its content comes', async () => {
    const { message, placeholderOf, ticket, shown, greetings } = somebody()
    const first = message('1')
    await receive(placeholderOf(first), message('Oi?', 1))
    await until(async () => (await greetings()).length === 1)
    await receive(first)
    expect((await shown()).map(({ body }) => body.split('\n')[0])).toEqual(['1', 'Oi?', 'Olá!'])
    expect(await ticket()).toMatchObject({ queueId: null, unreadMessages: 2 })
  })

  test('whose ticket was closed before its content came opens another one with it', async () => {
    const { message, placeholderOf, ticket, ticketIn, shown } = somebody()
    const first = message('Ainda tem?')
    await receive(placeholderOf(first))
    const { id: ticketId } = await ticket()
    await admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
    await receive(first, first)
    const found = await shown()
    expect(found.filter(({ fromMe }) => !fromMe).map(({ body }) => body)).toEqual(['Ainda tem?'])
    expect((await ticketIn('closed'))!.id).toBe(ticketId)
    expect(
      (await admin.get(messages.list, { params: { ticketId } })).messages.some(
        ({ mediaType }) => mediaType === 'ciphertext',
      ),
    ).toBe(false)
  })

  test('is removed when its content is nothing that is shown; alone in its ticket it stays, as one that cannot be shown', async () => {
    const { message, placeholderOf, ticket, shown } = somebody()
    const [first, second] = [message('Oi'), message('x', 1)]
    const nothing = ({ chat, externalId, fromMe, at }: InboundMessage): InboundEvent => ({
      ...{ kind: 'nothing', chat, externalId, fromMe, at },
    })
    await receive(first, placeholderOf(second))
    expect(await ticket()).toMatchObject({ unreadMessages: 2, lastMessageType: 'ciphertext' })
    await receive(nothing(second), nothing(first))
    expect(await ticket()).toMatchObject({ unreadMessages: 1, lastMessageType: null })
    expect((await shown()).filter(({ fromMe }) => !fromMe).map(({ body }) => body)).toEqual(['Oi'])
    const other = somebody()
    const only = other.message('x')
    await receive(other.placeholderOf(only))
    await receive(nothing(only))
    expect(await other.shown()).toMatchObject([{ mediaType: 'unknown' }])
  })

  test('and its edits end the same in whatever order they come, and however often', async () => {
    const ends = new Set<string>()
    for (const order of [
      [0, 1, 2, 3, 4],
      [0, 2, 3, 1, 4],
      [3, 0, 1, 2, 4],
      [1, 3, 2, 0, 4],
      [2, 3, 4, 0, 1],
    ]) {
      const { message, placeholderOf, edit, shown } = somebody()
      const first = message('R$ 500')
      const payload = [
        placeholderOf(first),
        first,
        edit(first, 'R$ 5', 1),
        edit(first, 'R$ 50', 2),
        edit(first, null, 1),
      ]
      for (const place of [...order, ...order]) await receive(payload[place]!)
      await receive(message('fim', 5))
      const ours = (await shown()).filter(({ fromMe, body }) => !fromMe && body !== 'fim')
      ends.add(JSON.stringify(ours.map(({ body, mediaType, failReason }) => [body, mediaType, failReason])))
    }
    // the ticket of what is known by its edit alone is a closed one
    ends.delete('[]')
    expect([...ends]).toEqual([JSON.stringify([['R$ 50', null, '']])])
  })
})

test('an edit that cannot be read is on the message until a newer one can', async () => {
  const { message, edit, shown } = somebody()
  const first = message('R$ 500')
  await receive(first, edit(first, null, 2))
  const unreadable = { body: 'R$ 500', failReason: 'ERR_WAPP_EDIT', editedAt: expect.any(String) }
  expect((await shown())[0]).toMatchObject(unreadable)
  await receive(edit(first, 'R$ 1', 1))
  expect((await shown())[0]).toMatchObject(unreadable)
  await receive(edit(first, 'R$ 50', 3))
  expect((await shown())[0]).toMatchObject({ body: 'R$ 50', failReason: '' })
})

/** What downloads the files of a connection, by the given way instead of a session of WhatsApp. */
function fetching(id: number, download: ChannelSession['download']) {
  const session = { ready: () => true, download } as Partial<ChannelSession> as ChannelSession
  return (done: () => void) => fetchDueMedia(receiving(id, { wake: done }), session)
}

test('a file that is fetched twice, of a list that was read before it was stored, stays where it is', async () => {
  const { id } = await admin.get(connections.create, { body: { name: 'Duas vezes', lib: 'baileys' } })
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let downloads = 0
  const fetchDue = fetching(id, async () => {
    await gates[downloads++]!.promise
    return Readable.from([picture().bytes])
  })
  const { message, shown } = somebody()
  const type = 'image/png'
  const file = {
    name: 'a.png',
    type,
    size: 9,
    seconds: null,
    width: 4,
    height: 3,
    isVoice: false,
    source: 'S',
  }
  await receiveInbound(receiving(id), [[{ ...message('olha'), mediaType: 'image', file }]])
  const ends = gates.map(() => Promise.withResolvers<void>())
  for (const { resolve } of ends) await fetchDue(resolve)
  for (const [at, gate] of gates.entries()) {
    gate.resolve()
    await ends[at]!.promise
  }
  await removalsDone(app)
  const [photo] = await shown()
  expect((await admin.fetch(photo!.mediaUrl!)).status).toBe(200)
})

test('a message of a kind that cannot be read opens its ticket, and is completed by a version that reads it', async () => {
  const { message, ticket, ticketIn, greetings } = somebody()
  const whole = message('Festa no sábado')
  const unread = {
    ...whole,
    body: '',
    mediaType: 'unknown',
    data: { field: 122, name: 'eventInviteMessage' },
  }
  await receive(unread)
  const { id: ticketId, unreadMessages } = await ticket()
  expect(unreadMessages).toBe(1)
  await until(async () => (await greetings()).length > 0)
  const said = await greetings()
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
  const other = { ...whole, externalId: 'NUNCA', isReread: true }
  await receive({ ...whole, isReread: true }, other, { ...unread, isReread: true })
  const closed = await until(() => ticketIn('closed'))
  expect([closed.id, await ticketIn('pending'), await greetings()]).toEqual([ticketId, undefined, said])
  const { messages: rows } = await admin.get(messages.list, { params: { ticketId } })
  expect(rows.filter(({ fromMe }) => !fromMe).map(one => [one.body, one.mediaType, one.dataJson])).toEqual([
    ['Festa no sábado', null, null],
  ])
})

test('what is kept of a message that cannot be read goes when it is deleted for everyone, and with its ticket', async () => {
  const { message, ticket } = somebody()
  const keys = keyRows(app.platform, admin.user.companyId, whatsappId, async () => {})
  const kept = async () => [...(await keys.readAll('unread-kind')).keys()]
  const unread = [message('', 0), message('', 1)].map(one => ({ ...one, mediaType: 'unknown' }))
  const [first, second] = unread.map(({ externalId }) => externalId)
  await keys.write([first!, second!, 'OUTRA'].map(id => ({ type: 'unread-kind', id, value: 'x' })))
  await receive(...unread)
  const { chat, at } = unread[0]!
  await receive({ kind: 'delete', chat, fromMe: false, target: { externalId: first!, fromMe: false }, at })
  expect(await kept()).toEqual(expect.not.arrayContaining([first]))
  expect(await kept()).toContain(second)
  await admin.get(tickets.remove, { params: { ticketId: (await ticket()).id } })
  expect(await kept()).toEqual(['OUTRA'])
})

describe('a photo that comes in small and in a better quality', () => {
  const upload = async () =>
    (
      await app.platform.files.put(admin.user.companyId, picture().bytes, {
        name: 'a.png',
        type: 'image/png',
      })
    ).key
  const inBoth = async () => {
    const { message, ...rest } = somebody()
    const file = {
      name: 'a.png',
      type: 'image/png',
      size: 9,
      seconds: null,
      width: 4,
      height: 3,
      isVoice: false,
    }
    const base = { ...message('olha'), mediaType: 'image' }
    const small: InboundMessage = {
      ...base,
      file: { ...file, source: await upload() },
      data: { album: 'A1' },
    }
    const better: InboundMessage = {
      ...base,
      ...{ isBetter: true, body: '' },
      file: { ...file, width: 40, height: 30, source: await upload() },
    }
    return { ...rest, small, better }
  }
  const look = () => app.platform.signals.notify(`media:${whatsappId}`)

  test.each<[string, ('small' | 'better')[]]>([
    ['small first', ['small', 'better', 'small', 'better']],
    ['better first', ['better', 'small', 'better', 'small']],
    ['better alone', ['better', 'better']],
  ])('is one message with the better file: %s', async (_, order) => {
    const both = await inBoth()
    for (const which of order) {
      await receive(both[which])
      await look()
    }
    const photo = await until(async () => {
      const [one] = (await both.shown()).filter(({ fromMe }) => !fromMe)
      return one?.media?.state === 'ready' && one.media.width === 40 && one
    })
    expect(photo.body).toBe(order.includes('small') ? 'olha' : '')
    expect(photo.dataJson).toBe(order.includes('small') ? '{"album":"A1"}' : null)
    expect((await both.shown()).filter(({ fromMe }) => !fromMe)).toHaveLength(1)
    expect((await admin.fetch(photo.mediaUrl!)).status).toBe(200)
  })

  test('is fetched in the better quality when the small file, asked for before, turns out to be gone', async () => {
    const { id } = await admin.get(connections.create, { body: { name: 'Outra', lib: 'baileys' } })
    const { small, better } = await inBoth()
    const gate = Promise.withResolvers<void>()
    const fetchDue = fetching(id, () => gate.promise.then(() => Promise.reject(new Gone('gone'))))
    await receiveInbound(receiving(id), [[small]])
    const done = Promise.withResolvers<void>()
    await fetchDue(done.resolve)
    await receiveInbound(receiving(id), [[better]])
    gate.resolve()
    await done.promise
    const due = await receiving(id).scope.list(tx => filesDue(tx, id))
    expect(due.map(({ attempts }) => attempts)).toEqual([0])
  })
})
