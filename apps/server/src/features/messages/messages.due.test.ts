import { randomUUID } from 'node:crypto'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { post } from './messages.actions.ts'
import { lastDue } from './outbox/waiting.queries.ts'
import { withdrawWaiting } from './outbox/withdraw.actions.ts'

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const shop = () => app.platform.scopes.inCompany(admin.user.companyId)
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

async function attended() {
  const number = newNumber()
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
  const ticket = await until(async () => {
    const { tickets: found } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return found.find(one => one.contact.number === number)
  })
  const body = { status: 'open', queueId: admin.user.queues[0]!.id } as const
  await admin.get(tickets.change, { params: { ticketId: ticket.id }, body })
  return { number, ticket }
}

const later = (ticket: { id: number; contactId: number }, body: string, ms: number) =>
  shop().transaction(async tx => {
    const [{ message }] = await post(
      tx,
      [
        {
          id: randomUUID(),
          ticketId: ticket.id,
          contactId: ticket.contactId,
          whatsappId,
          source: 'bot',
          userId: null,
          body,
          createdAt: inMs(0),
          dueAt: inMs(ms),
          typing: 'composing',
          typingFrom: inMs(0),
        },
      ],
      'aside',
    )
    return message
  })
const shown = async (number: string) =>
  (await admin.get(simulator.chat, { params: { whatsappId, number } })).flatMap(one =>
    one.fromMe ? one.body : [],
  )
const conversation = async (ticketId: number) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages.filter(one => one.fromMe)

test('what waits for its time leaves then, stands where it left, and the customer sees that somebody writes', async () => {
  const { number, ticket } = await attended()
  const before = Date.now()
  const waiting = await later(ticket, 'depois', 2_500)
  expect(waiting.dueAt).not.toBeNull()
  expect((await conversation(ticket.id)).map(one => [one.body, one.dueAt !== null])).toEqual([
    ['depois', true],
  ])
  await until(async () => {
    const phones = await admin.get(simulator.chats, { params: { whatsappId } })
    return phones.some(one => one.number === number && one.typing === 'composing')
  })
  await admin.get(messages.send, {
    params: { ticketId: ticket.id, companyId: admin.user.companyId },
    body: { body: 'antes' },
  })
  await until(async () => (await shown(number)).length === 2)
  expect(Date.now() - before).toBeGreaterThanOrEqual(2_400)
  expect((await shown(number)).map(body => body.split('\n').at(-1))).toEqual(['antes', 'depois'])
  const sent = await until(async () => {
    const now = await conversation(ticket.id)
    return now.every(one => one.ack > 1) && now
  })
  expect(sent.map(one => one.body.split('\n').at(-1))).toEqual(['antes', 'depois'])
  expect(sent.map(one => one.dueAt)).toEqual([null, null])
  expect(sent[1]!.createdAt >= waiting.dueAt!).toBe(true)
})

test('what waits is taken back by its source, and nothing else is', async () => {
  const { number, ticket } = await attended()
  await later(ticket, 'agora', 0)
  await until(async () => (await shown(number)).length === 1)
  const last = await later(ticket, 'nunca', 3_600_000)
  expect(await shop().read(tx => lastDue(tx, ticket.id))).toBe(last.dueAt)
  expect(await shop().transaction(tx => withdrawWaiting(tx, ticket.id, 'flow'))).toBe(0)
  expect(await shop().transaction(tx => withdrawWaiting(tx, ticket.id, 'bot'))).toBe(1)
  expect((await conversation(ticket.id)).map(one => one.body)).toEqual(['agora'])
  expect(await shop().read(tx => lastDue(tx, ticket.id))).toBeNull()
})
