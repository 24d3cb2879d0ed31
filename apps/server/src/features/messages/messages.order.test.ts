import { randomUUID } from 'node:crypto'
import { connections } from '@balcao/contract/connections.ts'
import { applyMessagePush } from '@balcao/contract/messages.rules.ts'
import { type Message, messageChannel, messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { Heard } from '../../driver.ts'
import { importStaged } from '../imports/imports.actions.ts'
import { stage } from '../imports/imports.stage.ts'

let world: World
let admin: Person
let whatsappId: number
beforeAll(async () => {
  world = await openWorld()
  admin = await world.as('admin@balcao.test')
  const body = { name: 'Linha', lib: 'simulator', importOldMessages: '2020-01-01' } as const
  whatsappId = (await admin.get(connections.create, { body })).id
})
afterAll(() => world.close())

type HeardMessage = Extract<Heard, { kind: 'message' }>
const LATE = '2026-03-02T12:00:00.000Z'
const says = (number: string, body: string, at = LATE): HeardMessage => ({
  kind: 'message',
  chat: { kind: 'phone', value: number },
  externalId: `O${randomUUID()}`,
  fromMe: false,
  name: 'Rita',
  body,
  mediaType: null,
  at,
})
const product = () => world.platform.scopes.inCompany(admin.user.companyId)
const line = () => ({ scope: product(), whatsappId, fence: async () => {}, log: world.platform.log })
const hear = (...payload: Heard[]) => receiveInbound(line(), world.platform.secrets, [payload])
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
  const pushes = await admin.hear(messageChannel)
  for (const body of names(1, 12)) await hear(says(number, body))
  const ticket = await ticketOf(number)
  expect(ticket.lastMessage).toBe('fala 12')
  expect(await page(ticket.id)).toEqual(names(1, 12))
  expect(await page(ticket.id, { searchTerm: 'fala' })).toEqual(names(1, 12))
  const payload = await until(() => {
    const heard = pushes.filter(push => push.action === 'create' && push.message.ticketId === ticket.id)
    return heard.length === 12 && heard
  })
  const shown = payload
    .toReversed()
    .reduce((all: Message[], push) => applyMessagePush(all, push, () => true), [])
  expect(shown.map(({ body }) => body)).toEqual(names(1, 12))
})

test('pages of one second go on where the last one ended', async () => {
  const number = newNumber()
  await hear(...names(1, 45).map(body => says(number, body)))
  const { id } = await ticketOf(number)
  expect(await page(id)).toEqual(names(6, 45))
  expect(await page(id, { pageNumber: 2 })).toEqual(names(1, 5))
})

test('what comes late stands last, with its own time, and the list says it', async () => {
  const number = newNumber()
  await hear(says(number, 'agora', new Date().toISOString()))
  const before = await ticketOf(number)
  await hear(says(number, 'de ontem', new Date(Date.now() - 86_400_000).toISOString()))
  const after = await ticketOf(number)
  expect(await page(after.id)).toEqual(['agora', 'de ontem'])
  expect(after).toMatchObject({ lastMessage: 'de ontem', unreadMessages: 2, updatedAt: before.updatedAt })
})

test('imported messages stand where their time puts them among those that were taken in live', async () => {
  const number = newNumber()
  await hear(says(number, 'de janeiro', '2026-01-10T12:00:00.000Z'))
  await hear(says(number, 'de hoje', new Date().toISOString()))
  // phones hand over the newest first
  const old = [
    says(number, 'de março', '2026-03-10T12:00:00.000Z'),
    says(number, 'de fevereiro, depois', '2026-02-10T12:00:00.000Z'),
    says(number, 'de fevereiro, antes', '2026-02-10T12:00:00.000Z'),
    says(number, 'de dezembro', '2025-12-10T12:00:00.000Z'),
  ]
  for (const one of old)
    await product().transaction(tx => stage(tx, world.platform.secrets, whatsappId, [one], false))
  await importStaged(product(), whatsappId)
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
