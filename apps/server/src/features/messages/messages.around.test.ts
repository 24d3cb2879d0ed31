import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { ticketEventChannel } from '@balcao/contract/tickets.history.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { InboundEvent } from '../../driver.ts'

let app: TestApp
let marina: Person
let caio: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = marina.user.whatsappId!
})
afterAll(() => app.close())

/** A customer who wrote so many lines at once. Answers the ticket. */
async function whoWrote(lines: number) {
  const number = newNumber()
  const bodies = Array.from(
    { length: lines },
    (_, at): InboundEvent => ({
      kind: 'message',
      chat: { kind: 'phone', value: number },
      externalId: `A${number}${at}`,
      fromMe: false,
      name: 'Rita',
      body: `linha ${at}`,
      mediaType: null,
      at: new Date(Date.UTC(2026, 0, 1, 12, 0, at)).toISOString(),
    }),
  )
  await receiveInbound(connectionOf(app.platform, { companyId: marina.user.companyId, whatsappId }), [bodies])
  return ticketOf(number)
}

const ticketOf = (number: string) =>
  until(async () =>
    (await marina.get(tickets.list, { query: { status: 'pending' } })).tickets.find(
      ticket => ticket.contact.number === number,
    ),
  )
const lines = (page: { messages: { body: string }[] }) => page.messages.map(({ body }) => body)
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `linha ${from + at}`)

test('an old message is asked for with those around it, then what stands before and behind, without a gap', {
  timeout: 60_000,
}, async () => {
  const { id: ticketId } = await whoWrote(92)
  const read = (query: object) => marina.get(messages.list, { params: { ticketId }, query })
  const search = await read({ searchTerm: 'linha 30' })
  const [hit] = search.messages
  const around = await read({ around: hit!.id })
  expect(lines(around)).toEqual(numbered(10, 49))
  expect(around).toMatchObject({ hasMore: true, hasNewer: true, ticket: { id: ticketId } })
  const before = await read({ before: around.messages[0]!.id })
  expect([lines(before), before.hasMore, before.hasNewer]).toEqual([numbered(0, 9), false, true])
  const after = await read({ after: around.messages.at(-1)!.id })
  expect([lines(after), after.hasMore, after.hasNewer]).toEqual([numbered(50, 89), true, true])
  const last = await read({ after: after.messages.at(-1)!.id })
  expect([lines(last), last.hasNewer]).toEqual([numbered(90, 91), false])
  expect(await read({})).toMatchObject({ hasMore: true, hasNewer: false })
})

test('around a message that is not part of the conversation there is nothing', async () => {
  const [one, other] = [await whoWrote(2), await whoWrote(1)]
  const { messages: theirs } = await marina.get(messages.list, { params: { ticketId: other.id } })
  const ask = (person: Person) =>
    person.call(messages.list, { params: { ticketId: one.id }, query: { around: theirs[0]!.id } })
  expect((await ask(marina)).body.error).toBe('ERR_FETCH_WAPP_MSG')
  expect((await ask(stranger)).body.error).toBe('ERR_NO_TICKET_FOUND')
})

test('what happened to a ticket is told by whom and when, pushed and fetched alike', async () => {
  const received = await caio.subscribe(ticketEventChannel)
  const strange = await stranger.subscribe(ticketEventChannel)
  const number = newNumber()
  await marina.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body: 'Oi' } })
  const { id: ticketId } = await ticketOf(number)
  const queue = marina.user.queues[0]!
  const change = (body: object) => marina.get(tickets.change, { params: { ticketId }, body })
  await change({ status: 'open', queueId: queue.id })
  await change({ transf: true, userId: caio.user.id, queueId: queue.id })
  const { events } = await caio.get(tickets.story, { params: { ticketId } })
  const at = { id: queue.id, name: queue.name }
  const by = { id: marina.user.id, name: 'Marina Duarte' }
  const to = { id: caio.user.id, name: caio.user.name }
  expect(events.map(({ what, by, user, queue }) => ({ what, by, user, queue }))).toEqual([
    { what: 'opened', by: null, user: null, queue: null },
    { what: 'accepted', by, user: by, queue: at },
    { what: 'transferred', by, user: to, queue: at },
  ])
  await until(async () => received.filter(one => one.ticketId === ticketId).length === 3)
  expect(received.filter(one => one.ticketId === ticketId)).toEqual(events)
  expect(strange).toEqual([])
})
