import { connectionChannel, connections } from '@balcao/contract/connections.ts'
import { imports as calls, importChannel } from '@balcao/contract/imports.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import type { OldMessage } from '../../driver.ts'
import { stage } from './imports.actions.ts'
import { importStagedJob } from './imports.jobs.ts'
import { advance, hasStaged, writeDown } from './imports.queries.ts'
import { importPiece } from './imports.worker.ts'

let app: TestApp
let admin: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  const added = await admin.get(connections.create, {
    body: {
      name: 'Antiga',
      lib: 'simulator',
      importOldMessages: '2026-01-01',
      importRecentMessages: '2026-06-30',
    },
  })
  whatsappId = added.id
})
afterAll(() => app.close())

const old = (number: string, day: string, body: string, more: Partial<OldMessage> = {}): OldMessage => ({
  kind: 'message',
  chat: { kind: 'phone', value: number },
  externalId: `${number}-${day}-${body}`,
  fromMe: false,
  name: 'Cliente antigo',
  body,
  mediaType: null,
  at: `${day}T12:00:00.000Z`,
  ...more,
})

const hand = (messages: OldMessage[], isLast = false, who = admin) =>
  app.platform.scopes
    .inCompany(who.user.companyId)
    .transaction(tx => stage(tx, app.platform.secrets, whatsappId, messages, { isLast }))

const connection = () => admin.get(connections.show, { params: { whatsappId } })
const status = (wanted: string) =>
  until(async () => (await connection()).statusImportMessages === wanted, 20_000)
const ticketOf = async (number: string, state: 'pending' | 'closed' = 'pending') => {
  const { tickets: listed } = await admin.get(tickets.list, { query: { status: state, showAll: true } })
  return listed.find(ticket => ticket.contact.number === number)
}
const sent = async (ticketId: number) => (await admin.get(messages.list, { params: { ticketId } })).messages

test('old messages come with their own times, unread by nobody, and without a sound [EVENT-003, EVENT-006, OP-77]', async () => {
  const quiet = [await admin.subscribe(messageChannel), await admin.subscribe(ticketChannel)]
  const progress = await admin.subscribe(importChannel)
  const shown = await admin.subscribe(connectionChannel)
  await hand([
    old('5511960010001', '2026-03-02', 'segunda'),
    old('5511960010001', '2026-03-01', 'primeira'),
    old('5511960010001', '2026-03-03', 'resposta', { fromMe: true }),
    old('5511960010002', '2025-12-31', 'antes do que se quis'),
    old('5511960010003', '2026-07-01', 'depois do que se quis'),
    old('120363001', '2026-03-01', 'de um grupo', { chat: { kind: 'group', value: '120363001' } }),
  ])
  await status('importing')
  await hand([], true)
  await status('imported')
  const ticket = (await ticketOf('5511960010001'))!
  expect(ticket).toMatchObject({
    unreadMessages: 0,
    lastMessage: 'resposta',
    lastMessageFromMe: true,
    updatedAt: '2026-03-03T12:00:00.000Z',
    contact: { name: 'Cliente antigo' },
  })
  expect((await sent(ticket.id)).map(one => [one.body, one.createdAt.slice(0, 10), one.read])).toEqual([
    ['primeira', '2026-03-01', true],
    ['segunda', '2026-03-02', true],
    ['resposta', '2026-03-03', true],
  ])
  expect(await ticketOf('5511960010002')).toBeUndefined()
  expect(await ticketOf('5511960010003')).toBeUndefined()
  expect(await ticketOf('120363001')).toBeUndefined()
  await until(() => progress.some(push => push.status.this === 3 && push.status.all === 3))
  expect(shown.map(push => push.whatsapp.statusImportMessages)).toEqual(['importing', 'imported'])
  expect(quiet.flat()).toEqual([])
})

test('an old message comes with its edit, its receipt, its reactions and its votes', async () => {
  const number = '5511960010009'
  const person = { fromMe: false, name: 'Cliente antigo', at: '2026-03-04T12:00:00.000Z' }
  const past = { ack: 4, reactions: [], answers: [] }
  await hand([
    old(number, '2026-03-03', 'editada', { past: { ...past, editedAt: '2026-03-03T12:01:00.000Z' } }),
    old(number, '2026-03-02', 'lida', {
      fromMe: true,
      past: { ...past, reactions: [{ ...person, emoji: '👍' }] },
    }),
    old(number, '2026-03-01', 'Que dia?', {
      ...{ mediaType: 'poll', data: { choices: ['Sexta', 'Sábado'], isMultiple: false, votes: [] } },
      past: { ...past, answers: [{ ...person, answer: { to: 'poll', choices: [1] } }] },
    }),
  ])
  const { id } = await until(() => ticketOf(number), 20_000)
  const [poll, read, edited] = await until(async () => {
    const shown = await sent(id)
    return shown.length === 3 && shown
  }, 20_000)
  expect(edited!.editedAt).toBe('2026-03-03T12:01:00.000Z')
  expect([read!.ack, read!.reactions]).toEqual([4, [{ emoji: '👍', fromMe: false, name: 'Cliente antigo' }]])
  expect(JSON.parse(poll!.dataJson!).votes).toEqual([
    { by: 'contact', name: 'Cliente antigo', at: person.at, choices: [1] },
  ])
})

test('a customer is called by name though the newest message, handed over first, is ours', async () => {
  await hand(
    [
      old('5511960010011', '2026-03-04', 'resposta', { fromMe: true, name: '' }),
      old('5511960010011', '2026-03-03', 'pergunta', { name: 'Nair Antiga' }),
    ],
    true,
  )
  await status('imported')
  expect((await ticketOf('5511960010011'))!.contact.name).toBe('Nair Antiga')
})

test('who is mentioned in an old message, or concerned by an old line of a group, is named', async () => {
  const lid = { kind: 'lid' as const, value: '799999999999998', written: '799999999999998' }
  const phone = { kind: 'phone' as const, value: '5511960010012', written: '5511960010012' }
  const data = { what: 'added', people: [] }
  await hand(
    [
      old('5511960010012', '2026-03-03', '', { mediaType: 'chat_event', data, mentions: [phone] }),
      old('5511960010012', '2026-03-02', '@799999999999998 e @5511960010012', { mentions: [lid, phone] }),
    ],
    true,
  )
  await status('imported')
  const [text, line] = await sent((await ticketOf('5511960010012'))!.id)
  expect(text!.body).toBe('@? e @Cliente antigo')
  expect(JSON.parse(line!.dataJson!)).toEqual({ what: 'added', people: ['Cliente antigo'] })
})

test('the same messages handed over again change nothing, and are not counted again', async () => {
  const ticket = (await ticketOf('5511960010001'))!
  const progress = await admin.subscribe(importChannel)
  await hand([old('5511960010001', '2026-03-01', 'primeira')], true)
  await status('imported')
  expect(await sent(ticket.id)).toHaveLength(3)
  expect(progress).toEqual([])
})

test('the admin closes what was imported, and nothing that somebody took up [CONN-008, API-004, OP-77]', async () => {
  await hand([old('5511960010004', '2026-04-01', 'fica com alguém')], true)
  await until(() => ticketOf('5511960010004'))
  const taken = (await ticketOf('5511960010004'))!
  const queueId = admin.user.queues[0]!.id
  await admin.get(tickets.change, { params: { ticketId: taken.id }, body: { status: 'open', queueId } })
  const pushes = await admin.subscribe(ticketChannel)
  const answer = await admin.get(calls.close, { params: { whatsappId } })
  expect(answer.statusImportMessages).toBe('')
  expect(await ticketOf('5511960010001')).toBeUndefined()
  expect((await ticketOf('5511960010001', 'closed'))!.unreadMessages).toBe(0)
  const still = await admin.get(tickets.show, { params: { ticketId: taken.id } })
  expect(still.status).toBe('open')
  await until(() => pushes.some(push => push.action === 'update' && push.ticket.status === 'closed'))
})

test('a connection that wishes so closes what it imported by itself [OP-76]', async () => {
  await admin.get(connections.change, {
    params: { whatsappId },
    body: { name: 'Antiga', closedTicketsPostImported: 1 },
  })
  await hand([old('5511960010005', '2026-05-01', 'fecha sozinho')], true)
  await until(() => ticketOf('5511960010005', 'closed'), 20_000)
  expect((await connection()).statusImportMessages).toBe('')
})

test('a message that is already here by the live way is not doubled', async () => {
  const number = '5511960010006'
  await hand([old(number, '2026-05-02', 'uma vez'), old(number, '2026-05-02', 'uma vez')], true)
  const ticket = (await until(() => ticketOf(number, 'closed'), 20_000))!
  expect((await sent(ticket.id)).map(one => one.body)).toEqual(['uma vez'])
})

test('the other company neither closes nor hears [EVENT-006]', async () => {
  const pushes = await stranger.subscribe(importChannel)
  expect((await stranger.call(calls.close, { params: { whatsappId } })).body.error).toBe('ERR_NO_WAPP_FOUND')
  await hand([old('5511960010007', '2026-05-03', 'não é da outra')], true)
  await until(() => ticketOf('5511960010007', 'closed'), 20_000)
  expect(pushes).toEqual([])
})

test('a long import is done in pieces, so that other companies have their turn, and each piece is followed by the next one', async () => {
  const scope = app.platform.scopes.inCompany(admin.user.companyId)
  const number = '5511960010013'
  const many = Array.from({ length: 2_005 }, (_, at) => old(number, '2026-05-04', `peça ${at}`))
  const total = await scope.transaction(async tx => {
    const written = await writeDown(tx, whatsappId, many)
    await advance(tx, whatsappId, { total: written })
    return written
  })
  expect(total).toBe(2_005)
  expect(await importPiece(scope, whatsappId)).toBe(true)
  expect(await scope.read(tx => hasStaged(tx, whatsappId))).toBe(true)
  await scope.transaction(tx => tx.enqueue(importStagedJob, { whatsappId }))
  await until(async () => !(await scope.read(tx => hasStaged(tx, whatsappId))), 20_000)
})
