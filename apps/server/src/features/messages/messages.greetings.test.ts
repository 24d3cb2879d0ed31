import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { InboundEvent } from '../../driver.ts'

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const set = (body: object) => admin.get(connections.change, { params: { whatsappId }, body })
const write = (number: string, body: string) =>
  admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana Lima', body } })
const sentTo = (number: string, count: number) =>
  until(async () => {
    const shown = await admin.get(simulator.chat, { params: { whatsappId, number } })
    const ours = shown.filter(one => one.fromMe).map(one => one.body)
    return ours.length >= count && ours
  })
const ticketOf = (number: string) =>
  until(async () => {
    const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return found.find(one => one.contact.number === number)
  })
const move = (ticketId: number, body: object) => admin.get(tickets.change, { params: { ticketId }, body })

test('who writes first is greeted and chooses a queue by its number, which greets [CONN-028, OP-74]', async () => {
  const both = (await admin.get(queues.list)).slice(0, 2)
  const [first, second] = both
  await admin.get(queues.change, {
    params: { queueId: second!.id },
    body: { greetingMessage: 'Já atendemos' },
  })
  await set({ greetingMessage: 'Olá, {{cliente}}!', queueIds: both.map(one => one.id) })
  const number = newNumber()
  await write(number, 'Oi')
  const menu = `Olá, Ana Lima!\n\n*1* - ${first!.name}\n*2* - ${second!.name}`
  expect(await sentTo(number, 1)).toEqual([menu])
  const waiting = await ticketOf(number)
  expect(waiting).toMatchObject({ queueId: null, unreadMessages: 1, lastMessage: 'Oi' })
  expect(waiting.waitingSince).not.toBeNull()
  await write(number, 'preciso de ajuda')
  await write(number, '9')
  await write(number, ' 2 ')
  expect(await sentTo(number, 2)).toEqual([menu, 'Já atendemos'])
  expect(await ticketOf(number)).toMatchObject({ queueId: second!.id, unreadMessages: 4 })
  await write(number, '1')
  await until(async () => (await ticketOf(number)).unreadMessages === 5)
  expect(await ticketOf(number)).toMatchObject({ queueId: second!.id })
  await set({ queueIds: [] })
})

test('the attendant who takes a ticket up greets, and who is resolved is taken leave of [MSG-042, CONN-028, OP-72, OP-74]', async () => {
  await set({ greetingMessage: '', farewellMessage: 'Até logo! Protocolo {{protocolo}}', queueIds: [] })
  const greetingMessage = '{{cliente}}, sou {{atendente}} ({{protocolo}}, {{data}} {{horas}}) {{outra}}'
  const own = { params: { userId: admin.user.id } }
  await admin.get(users.change, { ...own, body: { greetingMessage, enableGreeting: true } })
  const number = newNumber()
  await write(number, 'Oi')
  const { id, protocol } = await ticketOf(number)
  await move(id, { status: 'open', queueId: admin.user.queues[0]!.id })
  const [greeting] = await sentTo(number, 1)
  expect(greeting).toMatch(
    new RegExp(
      `^Ana Lima, sou ${admin.user.name} \\(${protocol}, \\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d\\) {{outra}}$`,
    ),
  )
  await move(id, { status: 'closed' })
  expect((await sentTo(number, 2))[1]).toBe(`Até logo! Protocolo ${protocol}`)
  const { messages: shown } = await admin.get(messages.list, { params: { ticketId: id } })
  expect(shown.slice(-2).map(one => one.user?.id)).toEqual([admin.user.id, admin.user.id])

  await admin.get(users.change, { ...own, body: { enableGreeting: false } })
  const quiet = newNumber()
  await write(quiet, 'Oi')
  const other = await ticketOf(quiet)
  await move(other.id, { status: 'open', queueId: admin.user.queues[0]!.id })
  await admin.get(tickets.resolveMany, { body: { Tickets: [other.id] } })
  await set({ farewellMessage: '' })
  const { messages: silent } = await admin.get(messages.list, { params: { ticketId: other.id } })
  expect(silent.map(one => one.fromMe)).toEqual([false])
})

test('every message says who speaks: the customer, a greeting, a person, the phone; a quote and the list’s row say it too', async () => {
  await set({ greetingMessage: 'Olá!' })
  const number = newNumber()
  await write(number, 'Oi')
  await sentTo(number, 1)
  const { id } = await ticketOf(number)
  await move(id, { status: 'open', queueId: admin.user.queues[0]!.id })
  const to = { params: { ticketId: id, companyId: admin.user.companyId } }
  const first = await admin.get(messages.send, { ...to, body: { body: 'Pois não' } })
  await admin.get(messages.send, { ...to, body: { body: 'Diga', quotedMsg: first.id } })
  await receiveInbound(connectionOf(app.platform, { companyId: admin.user.companyId, whatsappId }), [
    [typedOnPhone(number)],
  ])
  const { messages: shown } = await admin.get(messages.list, { params: { ticketId: id } })
  expect(shown.map(one => [one.body, one.source, one.user?.id ?? null])).toEqual([
    ['Oi', 'contact', null],
    ['Olá!', 'greeting', null],
    ['Pois não', 'person', admin.user.id],
    ['Diga', 'person', admin.user.id],
    ['do celular', 'phone', null],
  ])
  const row = await admin.get(tickets.show, { params: { ticketId: id } })
  expect(row.lastMessageBy).toEqual({ source: 'phone', user: null })
  await admin.get(messages.send, { ...to, body: { body: 'Até' } })
  const { tickets: open } = await admin.get(tickets.list, { query: { status: 'open' } })
  expect(open.find(one => one.id === id)?.lastMessageBy).toEqual({
    source: 'person',
    user: { id: admin.user.id, name: admin.user.name },
  })
  expect(shown[3]?.quotedMsg).toMatchObject({
    source: 'person',
    user: { id: admin.user.id, name: admin.user.name },
  })
  await set({ greetingMessage: '' })
})

const typedOnPhone = (number: string): InboundEvent => ({
  kind: 'message',
  chat: { kind: 'phone', value: number },
  externalId: `P${number}`,
  fromMe: true,
  name: '',
  body: 'do celular',
  mediaType: null,
  at: new Date().toISOString(),
})

test('who wrote no greeting of his own greets in the usual words [MSG-043]', async () => {
  const own = { params: { userId: admin.user.id } }
  await admin.get(users.change, { ...own, body: { greetingMessage: ' ', enableGreeting: true } })
  const number = newNumber()
  await write(number, 'Oi')
  const { id, protocol } = await ticketOf(number)
  await move(id, { status: 'open', queueId: admin.user.queues[0]!.id })
  const [greeting] = await sentTo(number, 1)
  expect(greeting).toMatch(/^Olá, Ana Lima!.+\d\d\/\d\d\/\d{4} às \d\d:\d\d\.$/s)
  expect(greeting).toContain(admin.user.name)
  expect(greeting).toContain(protocol)
  await admin.get(users.change, { ...own, body: { enableGreeting: false } })
})
