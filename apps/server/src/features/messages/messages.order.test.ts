import { randomUUID } from 'node:crypto'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { applyMessagePush } from '@balcao/contract/messages.rules.ts'
import { type Message, messageChannel, messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { InboundEvent } from '../../driver.ts'
import { stage } from '../imports/imports.actions.ts'
import { importPiece } from '../imports/imports.worker.ts'

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  const body = { name: 'Linha', lib: 'simulator', importOldMessages: '2020-01-01' } as const
  whatsappId = (await admin.get(connections.create, { body })).id
})
afterAll(() => app.close())

type InboundMessage = Extract<InboundEvent, { kind: 'message' }>
const LATE = '2026-03-02T12:00:00.000Z'
const messageOf = (number: string, body: string, at = LATE): InboundMessage => ({
  kind: 'message',
  chat: { kind: 'phone', value: number },
  externalId: `O${randomUUID()}`,
  fromMe: false,
  name: 'Rita',
  body,
  mediaType: null,
  at,
})
const product = () => app.platform.scopes.inCompany(admin.user.companyId)
const line = () => connectionOf(app.platform, { companyId: admin.user.companyId, whatsappId })
const receive = (...payload: InboundEvent[]) => receiveInbound(line(), [payload])
const ticketOf = async (number: string) => {
  const { tickets: found } = await admin.get(tickets.list, { query: { searchParam: number, showAll: true } })
  return found.find(ticket => ticket.contact.number === number)!
}
const page = async (ticketId: number, query: { pageNumber?: number; searchTerm?: string } = {}) =>
  (await admin.get(messages.list, { params: { ticketId }, query })).messages.map(one => one.body)
const names = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `fala ${from + at}`)

test('twelve late messages of one second stand in the order they came in, wherever they are shown', async () => {
  const number = newNumber()
  const pushes = await admin.subscribe(messageChannel)
  for (const body of names(1, 12)) await receive(messageOf(number, body))
  const ticket = await ticketOf(number)
  expect(ticket.lastMessage).toBe('fala 12')
  expect(await page(ticket.id)).toEqual(names(1, 12))
  expect(await page(ticket.id, { searchTerm: 'fala' })).toEqual(names(1, 12))
  const payload = await until(() => {
    const created = pushes.filter(push => push.action === 'create' && push.message.ticketId === ticket.id)
    return created.length === 12 && created
  })
  const shown = payload
    .toReversed()
    .reduce((all: Message[], push) => applyMessagePush(all, push, () => true), [])
  expect(shown.map(({ body }) => body)).toEqual(names(1, 12))
})

test('pages of one second go on where the last one ended', async () => {
  const number = newNumber()
  await receive(...names(1, 45).map(body => messageOf(number, body)))
  const { id } = await ticketOf(number)
  expect(await page(id)).toEqual(names(6, 45))
  expect(await page(id, { pageNumber: 2 })).toEqual(names(1, 5))
})

test('what comes late stands last, with its own time, and the list says it', async () => {
  const number = newNumber()
  await receive(messageOf(number, 'agora', new Date().toISOString()))
  const before = await ticketOf(number)
  await receive(messageOf(number, 'de ontem', new Date(Date.now() - 86_400_000).toISOString()))
  const after = await ticketOf(number)
  expect(await page(after.id)).toEqual(['agora', 'de ontem'])
  expect(after).toMatchObject({ lastMessage: 'de ontem', unreadMessages: 2, updatedAt: before.updatedAt })
})

test('imported messages stand where their time puts them among those that were taken in live', async () => {
  const number = newNumber()
  await receive(messageOf(number, 'de janeiro', '2026-01-10T12:00:00.000Z'))
  await receive(messageOf(number, 'de hoje', new Date().toISOString()))
  // phones deliver the newest first
  const old = [
    messageOf(number, 'de março', '2026-03-10T12:00:00.000Z'),
    messageOf(number, 'de fevereiro, depois', '2026-02-10T12:00:00.000Z'),
    messageOf(number, 'de fevereiro, antes', '2026-02-10T12:00:00.000Z'),
    messageOf(number, 'de dezembro', '2025-12-10T12:00:00.000Z'),
  ]
  for (const one of old)
    await product().transaction(tx => stage(tx, app.platform.secrets, whatsappId, [one], { isLast: false }))
  while (await importPiece(product(), whatsappId));
  const ticket = await ticketOf(number)
  await until(async () => (await page(ticket.id)).length === 6)
  expect(await page(ticket.id)).toEqual([
    'de dezembro',
    'de janeiro',
    'de fevereiro, antes',
    'de fevereiro, depois',
    'de março',
    'de hoje',
  ])
  expect(ticket.lastMessage).toBe('de hoje')
})

test('what the phone sent to a list of recipients is shown where one is known, is no answer, and adds nobody', async () => {
  const [known, unknown] = [newNumber(), newNumber()]
  await receive(messageOf(known, 'Oi', new Date().toISOString()))
  const before = await ticketOf(known)
  const toList = (number: string, body: string): InboundMessage => ({
    ...messageOf(number, body, new Date().toISOString()),
    ...{ fromMe: true, isToList: true },
  })
  await receive(toList(known, 'Aberto no feriado'), toList(unknown, 'Aberto no feriado'))
  const edit = (number: string): InboundEvent => ({
    ...{ kind: 'edit', chat: { kind: 'phone', value: number }, fromMe: true, name: '', isToList: true },
    ...{ target: { externalId: 'L1', fromMe: true }, body: 'Aberto até as 12', at: LATE },
  })
  await receive(edit(known), edit(unknown))
  const later = newNumber()
  const listed = [known, unknown, later].map(number => toList(number, 'Fechado'))
  const old = [...listed, messageOf(later, 'Que pena')].map(one => ({ ...one, at: LATE }))
  await product().transaction(tx => stage(tx, app.platform.secrets, whatsappId, old, { isLast: false }))
  while (await importPiece(product(), whatsappId));
  // what was sent to a list waits for all that may make its recipients known
  expect(await page((await ticketOf(later)).id)).toEqual(['Que pena'])
  await product().transaction(tx => stage(tx, app.platform.secrets, whatsappId, [], { isLast: true }))
  while (await importPiece(product(), whatsappId));
  await until(async () => (await page(before.id)).length === 3)
  expect(await page(before.id)).toEqual(['Fechado', 'Oi', 'Aberto no feriado'])
  expect((await page((await ticketOf(later)).id)).toSorted()).toEqual(['Fechado', 'Que pena'])
  expect(await ticketOf(known)).toMatchObject({ status: 'pending', unreadMessages: 1 })
  const { contacts: found } = await admin.get(contacts.list, { query: { searchParam: unknown } })
  expect(found).toEqual([])
})
