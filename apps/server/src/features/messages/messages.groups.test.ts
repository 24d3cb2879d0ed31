import { randomUUID } from 'node:crypto'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { Chat, GivenAnswer, InboundEvent } from '../../driver.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'
import { outgoingContentOf } from './outbox/content.rules.ts'

type InboundMessage = Extract<InboundEvent, { kind: 'message' }>

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const receive = (...payload: InboundEvent[]) =>
  receiveInbound(connectionOf(app.platform, { companyId: admin.user.companyId, whatsappId }), [payload])
const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 12, 0, seconds)).toISOString()
const rows = (statement: string) =>
  app.database.transaction('', tx => rowsFrom<Record<string, unknown>>(tx, sql.raw(statement)))

let last = 0
/** A group with two members, who are known by both addresses. */
function someGroup() {
  const chat: Chat = { kind: 'group', value: `12036300000001${String(++last).padStart(4, '0')}` }
  const member = (name: string) => ({
    ...{ kind: 'lid' as const, value: `7${String(++last).padStart(14, '0')}`, name },
    also: { kind: 'phone' as const, value: newNumber() },
  })
  const [ana, bia] = [member('Ana'), member('Bia')]
  const write = (more: Partial<InboundMessage> = {}): InboundMessage => ({
    ...{ kind: 'message', chat, externalId: `G${randomUUID()}`, fromMe: false, name: 'Entregas' },
    ...{ author: ana, body: 'Chego às 15h', mediaType: null, at: at(0) },
    ...more,
  })
  const answer = (
    target: InboundMessage,
    by: Chat & { name: string },
    given: GivenAnswer,
    second: number,
  ): InboundEvent => ({
    ...{ kind: 'answer', chat, author: by, fromMe: false, name: by.name, answer: given, at: at(second) },
    target: { externalId: target.externalId, fromMe: false },
  })
  const listed = async () => {
    const [row] = await rows(
      `select t.id from tickets t join contact_identifiers i on i.contact_id = t.contact_id where i.value = '${chat.value}'`,
    )
    const { messages: all } = await admin.get(messages.list, { params: { ticketId: Number(row!.id) } })
    return all
  }
  return { chat, ana, bia, write, answer, listed }
}

test('in a group only its author edits a message, and only its author or an admin deletes it, also before it comes', async () => {
  const { chat, ana, bia, write, listed } = someGroup()
  const [first, second, third] = [write(), write(), write()]
  const targetOf = ({ externalId }: InboundMessage, author: Chat) => ({ externalId, fromMe: false, author })
  const edit = (of: InboundMessage, by: typeof ana, body: string): InboundEvent => ({
    ...{ kind: 'edit', chat, externalId: `E${randomUUID()}`, fromMe: false, name: by.name },
    ...{ target: targetOf(of, by), body, at: at(2) },
  })
  const erase = (of: InboundMessage, author: Chat, more: object = {}): InboundEvent => ({
    ...{ kind: 'delete', chat, fromMe: false, target: targetOf(of, author), at: at(3) },
    ...more,
  })
  await receive(first, second)
  await receive(edit(first, bia, 'Chego amanhã'), erase(first, bia), erase(third, bia))
  await receive(third)
  expect((await listed()).map(({ body, isDeleted }) => [body, isDeleted])).toEqual([
    ['Chego às 15h', false],
    ['Chego às 15h', false],
    ['Chego às 15h', false],
  ])
  await receive(edit(first, ana, 'Chego às 16h'), erase(second, ana, { isAdmin: true }), erase(third, ana))
  expect((await listed()).map(({ body, isDeleted }) => [body, isDeleted])).toEqual([
    ['Chego às 16h', false],
    ['', true],
    ['', true],
  ])
})

test('a message under the id of another member’s, or of another chat’s, changes nothing of that', async () => {
  const { bia, write, listed } = someGroup()
  const file = { name: 'a.jpg', type: 'image/jpeg', size: 9, seconds: null, isVoice: false, source: 's' }
  const size = { width: 4, height: 3 }
  const photo = write({ mediaType: 'image', body: '', file: { ...file, ...size } })
  const waiting = write({ mediaType: 'ciphertext', body: '' })
  const place = { latitude: 1, longitude: 1, name: '', address: '', isLive: true, sequence: 1 }
  const live = write({ mediaType: 'location', body: '', data: place })
  await receive(photo, waiting, live)
  const before = await listed()
  const better = { ...photo, isBetter: true, body: 'x', file: { ...file, width: 40, height: 30 } }
  const moved = { ...live, data: { ...place, latitude: 9, sequence: 2 } }
  const other = someGroup().write({ author: bia })
  for (const one of [better, { ...waiting, mediaType: null, body: 'x' }, moved])
    await receive({ ...one, author: bia }, { ...one, chat: other.chat, author: bia })
  const { externalId, chat } = waiting
  await receive({ kind: 'nothing', chat, author: bia, externalId, fromMe: false, at: at(3) })
  expect(await listed()).toEqual(before)
})

test('an edit of what is not here is its sender’s, and gives way to the message when another member wrote that', async () => {
  const { chat, ana, bia, write, listed } = someGroup()
  const first = write()
  const target = { externalId: first.externalId, fromMe: false, author: bia }
  await receive(write(), {
    ...{ kind: 'edit', chat, externalId: `E${randomUUID()}`, fromMe: false, name: 'Bia' },
    ...{ target, body: 'Chego amanhã', at: at(2) },
  })
  const shown = async () => (await listed()).map(({ author, body }) => [author?.name, body])
  expect(await shown()).toContainEqual(['Bia', 'Chego amanhã'])
  await receive(first)
  expect(await shown()).toEqual([
    ['Ana', 'Chego às 15h'],
    [ana.name, 'Chego às 15h'],
  ])
})

test('votes and replies are one a person, the newest, in whatever order they come', async () => {
  const { ana, bia, write, answer, listed } = someGroup()
  const poll = write({ mediaType: 'poll', body: 'Qual?', data: { choices: ['a', 'b'], isMultiple: true } })
  const times = { startsAt: at(0), endsAt: null }
  const event = write({
    ...{ mediaType: 'event', body: 'Festa' },
    data: { name: 'Festa', description: '', place: '', ...times, isCanceled: false, replies: [] },
  })
  const vote = (choices: number[]) => ({ to: 'poll' as const, choices })
  await receive(poll, event)
  await receive(
    answer(poll, ana, vote([1, 7]), 5),
    answer(poll, ana, vote([0]), 4),
    answer(poll, bia, vote([0, 1]), 2),
    answer(poll, ana, vote([1, 7]), 5),
    answer(event, bia, { to: 'event', reply: 'maybe', guests: 2 }, 3),
    answer(event, bia, vote([0]), 9),
    answer(event, ana, { to: 'event', reply: 'going', guests: 0 }, 4),
    answer(event, ana, { to: 'event', reply: 'notGoing', guests: 0 }, 4),
  )
  const [asked, invited] = await listed()
  expect(JSON.parse(asked!.dataJson!)).toMatchObject({
    choices: ['a', 'b'],
    votes: [
      { name: 'Ana', choices: [1] },
      { name: 'Bia', choices: [0, 1] },
    ],
  })
  expect(JSON.parse(invited!.dataJson!).replies).toMatchObject([
    { name: 'Bia', reply: 'maybe', guests: 2 },
    { name: 'Ana', reply: 'notGoing' },
  ])
  await receive(answer(poll, ana, vote([]), 6))
  expect(JSON.parse((await listed())[0]!.dataJson!).votes).toMatchObject([{ name: 'Bia' }, { choices: [] }])
})

test('an event that is changed or cancelled says what it is now, and keeps who comes', async () => {
  const { chat, ana, bia, write, answer, listed } = someGroup()
  const data = {
    name: 'Festa',
    description: '',
    place: 'Sede',
    startsAt: at(0),
    endsAt: null,
    isCanceled: false,
  }
  const event = write({ mediaType: 'event', body: 'Festa', data: { ...data, replies: [] } })
  const change = (by: typeof ana, body: string, next: object, second: number): InboundEvent => ({
    ...{ kind: 'edit', chat, externalId: `E${randomUUID()}`, fromMe: false, name: by.name },
    target: { externalId: event.externalId, fromMe: false, author: by },
    ...{ body, data: { ...data, replies: [], ...next }, at: at(second) },
  })
  const shown = async () => {
    const [one] = await listed()
    return [one!.body, JSON.parse(one!.dataJson!)]
  }
  await receive(event, answer(event, bia, { to: 'event', reply: 'going', guests: 1 }, 2))
  await receive(change(bia, 'Minha festa', { name: 'Minha festa' }, 3))
  expect((await shown())[0]).toBe('Festa')
  await receive(change(ana, 'Festa junina', { name: 'Festa junina', place: 'Praça' }, 4))
  const replies = [expect.objectContaining({ name: 'Bia', reply: 'going', guests: 1 })]
  expect(await shown()).toEqual(['Festa junina', { ...data, name: 'Festa junina', place: 'Praça', replies }])
  await receive(change(ana, '', { name: '', place: '', startsAt: null, isCanceled: true }, 5))
  expect(await shown()).toEqual([
    'Festa junina',
    { ...data, name: 'Festa junina', place: 'Praça', isCanceled: true, replies },
  ])
})

test('who reacts or votes under the number, as a history names members, and then under the LID, is one person', async () => {
  const { ana, chat, write, answer, listed } = someGroup()
  const poll = write({ mediaType: 'poll', body: 'Qual?', data: { choices: ['a', 'b'], isMultiple: false } })
  const byNumber = { kind: 'phone' as const, value: ana.also.value, name: 'Ana' }
  const react = (author: Chat & { name: string }, emoji: string, second: number): InboundEvent => ({
    ...{ kind: 'reaction', chat, author, fromMe: false, name: 'Ana', emoji, at: at(second) },
    target: { externalId: poll.externalId, fromMe: false },
  })
  const vote = (choices: number[]) => ({ to: 'poll' as const, choices })
  await receive(poll, react(byNumber, '👍', 1), react(ana, '🎉', 2))
  await receive(answer(poll, byNumber, vote([0]), 1), answer(poll, ana, vote([1]), 2))
  const [shown] = await listed()
  expect(shown!.reactions).toMatchObject([{ emoji: '🎉' }])
  expect(JSON.parse(shown!.dataJson!).votes).toMatchObject([{ name: 'Ana', choices: [1] }])
})

test('a chat that is marked as read on the phone counts nothing of what was written until then', async () => {
  const { chat, write, listed } = someGroup()
  const other = someGroup()
  const longAgo = (minutes: number) => new Date(Date.UTC(2024, 0, 1, 12, minutes)).toISOString()
  await receive(write({ at: longAgo(1) }), write({ at: longAgo(3) }), other.write({ at: longAgo(1) }))
  const unread = async (one = listed) => {
    const [shown] = await one()
    const [row] = await rows(`select unread_messages from tickets where id = ${shown!.ticketId}`)
    return row!.unread_messages
  }
  expect(await unread()).toBe(2)
  await receive({ kind: 'read', chat, externalIds: [], at: longAgo(2) })
  expect(await unread()).toBe(1)
  await receive({ kind: 'read', chat, externalIds: [], at: longAgo(4) })
  expect([await unread(), await unread(other.listed)]).toEqual([0, 1])
})

test('an answer of another chat changes nothing', async () => {
  const { write, listed } = someGroup()
  const poll = write({ mediaType: 'poll', body: 'Qual?', data: { choices: ['a'] } })
  const other = someGroup()
  await receive(poll, other.write())
  await receive(other.answer(poll, other.ana, { to: 'poll', choices: [0] }, 5))
  expect(JSON.parse((await listed())[0]!.dataJson!).votes).toBeUndefined()
})

test('who is mentioned is named as the contact, as the member called itself, or by the number, and never by a LID', async () => {
  const { ana, bia, write, listed } = someGroup()
  const known = newNumber()
  const rui = { kind: 'phone' as const, value: known, written: known }
  await receive({
    ...{ kind: 'message', chat: rui, externalId: `R${randomUUID()}`, fromMe: false, name: 'Rui Alves' },
    ...{ body: 'Oi', mediaType: null, at: at(0) },
  })
  const stranger = { kind: 'lid' as const, value: '799999999999999', written: '799999999999999' }
  const phone = { kind: 'phone' as const, value: '5511900001111', written: '5511900001111' }
  await receive(write({ author: bia }))
  const names = [bia, rui, phone, stranger].map(one => ({ ...one, written: one.value }))
  const body = names.map(({ written }) => `@${written}`).join(' ')
  await receive(write({ author: ana, body, mentions: names }))
  expect((await listed()).at(-1)!.body).toBe('@Bia @Rui Alves @+5511900001111 @?')
})

test('members who wrote are offered, and mentioned by the address that the driver gets; strangers to the group are not', async () => {
  const { bia, write, listed } = someGroup()
  const other = { ...bia, value: '799999999999997', name: 'Bi' }
  await receive(write(), write({ author: other }), write({ author: bia }))
  const { ticketId } = (await listed())[0]!
  const body = { status: 'open', queueId: admin.user.queues[0]!.id } as const
  await admin.get(tickets.change, { params: { ticketId }, body })
  const { members } = await admin.get(messages.members, { params: { ticketId } })
  expect(members.map(({ name }) => name)).toEqual(['Bia', 'Bi', 'Ana'])
  const { id } = await admin.get(messages.send, {
    params: { ticketId, companyId: admin.user.companyId },
    body: { body: 'Oi @Bia e @Carla', mentions: [bia.value, other.value, '123'] },
  })
  const [row] = await rows(`select * from messages where id = '${id}'`)
  const stored = { mediaType: null, mediaUrl: null, media: null, dataJson: String(row!.data_json) }
  expect(outgoingContentOf(stored, app.platform.files, admin.user.companyId)).toEqual({
    kind: 'text',
    mentions: [{ name: 'Bia', kind: 'lid', value: bia.value }],
  })
  await until(async () => (await listed()).find(one => one.id === id)!.ack >= 2)
  await admin.get(messages.edit, {
    params: { messageId: id },
    body: { body: 'Oi @Bia e @Bi', mentions: [other.value, '123'] },
  })
  const edited = await until(async () => (await listed()).find(one => one.id === id && one.editedAt))
  expect(JSON.parse(edited.dataJson!).mentions.map(({ name }: { name: string }) => name)).toEqual([
    'Bia',
    'Bi',
  ])
  await admin.get(messages.edit, { params: { messageId: id }, body: { body: 'Oi @Bi' } })
  const again = await until(async () =>
    (await listed()).find(one => one.id === id && one.body.endsWith('Oi @Bi')),
  )
  expect(JSON.parse(again.dataJson!).mentions).toEqual([{ name: 'Bi', kind: 'lid', value: other.value }])
})

test('what is pinned on a phone stands above the conversation for its time, and for a week where none is named', async () => {
  const { write, listed } = someGroup()
  const [first, second] = [write({ body: 'Regras' }), write({ body: 'Endereço' })]
  const line = (what: string, of: InboundMessage, seconds: number, more: Partial<InboundMessage> = {}) =>
    write({
      ...{ mediaType: 'chat_event', body: '', data: { what, people: [] }, at: at(seconds) },
      ...{ quotedExternalId: of.externalId, ...more },
    })
  await receive(first, second)
  await receive(line('pinned', first, 1), line('pinned', second, 2, { pinSeconds: 86_400 }))
  const { ticketId } = (await listed())[0]!
  const pins = async () => (await admin.get(messages.pins, { params: { ticketId } })).pins
  expect((await pins()).map(({ body, pinnedUntil }) => [body, pinnedUntil])).toEqual([
    ['Endereço', new Date(Date.parse(at(2)) + 86_400_000).toISOString()],
    ['Regras', new Date(Date.parse(at(1)) + 604_800_000).toISOString()],
  ])
  await receive(line('unpinned', second, 3))
  expect((await pins()).map(({ body }) => body)).toEqual(['Regras'])
})

test('a line of the chat stands among its messages, once, with names: unread by no one, and no ticket is opened by it', async () => {
  const { chat, ana, bia, write, listed } = someGroup()
  const line = write({
    ...{ mediaType: 'chat_event', body: '', data: { what: 'added', people: [] } },
    ...{ author: { ...ana, name: '' }, mentions: [{ ...bia, written: bia.value }] },
  })
  await receive(line)
  expect(await rows(`select 1 from contact_identifiers where value = '${chat.value}'`)).toEqual([])
  await receive(write(), write({ author: bia }))
  const before = await rows(`select unread_messages, last_message from tickets order by id desc limit 1`)
  const again = { ...line, externalId: `L${randomUUID()}` }
  await receive(again, again)
  const shown = (await listed()).filter(({ mediaType }) => mediaType === 'chat_event')
  expect(shown).toMatchObject([{ author: { name: 'Ana' }, read: true }])
  expect(JSON.parse(shown[0]!.dataJson!)).toEqual({ what: 'added', people: ['Bia'] })
  const after = await rows(`select unread_messages, last_message from tickets order by id desc limit 1`)
  expect(after).toEqual(before)
})

test('a quote of what is not here shows its copy, one of the company’s status says so; a live location moves on', async () => {
  const chat: Chat = { kind: 'phone', value: newNumber() }
  const common = { kind: 'message' as const, chat, fromMe: false, name: 'Rita', mediaType: null }
  const place = (sequence: number, latitude: number): InboundEvent => ({
    ...{ ...common, externalId: `P${chat.value}`, body: '', mediaType: 'location', at: at(sequence) },
    data: { latitude, longitude: 1, isLive: true, sequence, movedAt: at(sequence) },
  })
  const quotedCopy = { body: 'promoção', mediaType: 'image', fromMe: true, isStatus: true as const }
  await receive(
    { ...common, externalId: `Q${chat.value}`, body: 'Quero', quotedExternalId: 'S1', quotedCopy, at: at(0) },
    place(1, 10),
    place(3, 30),
    place(2, 20),
  )
  const [row] = await rows(`select ticket_id from messages where external_id = 'Q${chat.value}'`)
  const params = { ticketId: Number(row!.ticket_id) }
  const { messages: shown } = await admin.get(messages.list, { params })
  expect(shown[0]!.quotedMsg).toMatchObject({ id: null, body: 'promoção', isStatus: true, fromMe: true })
  expect(shown).toHaveLength(2)
  expect(JSON.parse(shown[1]!.dataJson!)).toMatchObject({ latitude: 30, sequence: 3 })
})
