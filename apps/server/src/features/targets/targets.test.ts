import { businessHours } from '@balcao/contract/businessHours.ts'
import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { type TargetKind, targetMissedChannel, targets } from '@balcao/contract/targets.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let whatsappId: number
let queueId: number
let other: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = admin.user.whatsappId!
  const own = marina.user.queues.map(({ id }) => id)
  queueId = own[0]!
  other = (await admin.get(queues.list)).find(({ id }) => id !== queueId)!.id
  await admin.get(connections.change, { params: { whatsappId }, body: { queueIds: [queueId] } })
})
afterAll(() => app.close())

const MINUTE = 60_000
const promise = (body: object, to = queueId) => admin.get(targets.change, { params: { queueId: to }, body })
const show = (ticketId: number) => admin.get(tickets.show, { params: { ticketId } })
const move = (ticketId: number, body: object) => marina.get(tickets.change, { params: { ticketId }, body })
const answer = (ticketId: number, body: string) =>
  marina.get(messages.send, { params: { ticketId, companyId: marina.user.companyId }, body: { body } })
const script = (text: string) => app.database.script(text)
const inMinutes = (at: string | null | undefined) => Math.round((Date.parse(at ?? '') - Date.now()) / MINUTE)

async function wrote(number = newNumber(), body = 'Oi') {
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body } })
  const asked = { query: { tab: 'search', showAll: true, searchParam: number } } as const
  return until(async () =>
    (await admin.get(tickets.list, asked)).tickets.find(
      one => one.lastMessage === body && one.status !== 'closed',
    ),
  )
}

/** Lets the time of a clock pass. */
const pass = (ticketId: number, kind: TargetKind) =>
  script(`update tickets set target_turn_at = now() - interval '1 second', targets =
    jsonb_set(targets, '{${kind},dueAt}', to_jsonb(instant_text(now() - interval '1 minute'))) where id = ${ticketId}`)

const kept = async (who = admin) => {
  const { queues: parts } = await who.get(targets.report, { query: { selectedQueueIds: [queueId] } })
  const { firstReply, reply, resolution } = parts[0]!
  return { firstReply, reply, resolution }
}

test('the clocks of a ticket run from the word of a customer to the answer of a person and to the closing, and only in a queue with targets', async () => {
  const { params, body } = {
    params: { queueId },
    body: { firstReplyMinutes: 10, replyMinutes: 20, resolutionMinutes: 300 },
  }
  const before = await wrote()
  expect(before.targets).toEqual({ firstReply: null, reply: null, resolution: null })
  expect((await marina.call(targets.change, { params, body })).status).toBe(403)
  expect((await stranger.call(targets.show, { params })).body.error).toBe('ERR_NO_QUEUE_FOUND')
  expect((await stranger.call(targets.change, { params, body })).body.error).toBe('ERR_NO_QUEUE_FOUND')
  const [foreign] = await stranger.get(queues.list)
  if (foreign)
    expect(
      (await admin.call(targets.change, { params, body: { moveToQueueId: foreign.id } })).body.field,
    ).toBe('moveToQueueId')
  expect((await admin.call(targets.change, { params, body: { replyMinutes: 0 } })).body.field).toBe(
    'replyMinutes',
  )
  expect(await promise({ ...body, withinHours: false })).toEqual({
    ...body,
    withinHours: false,
    moveToQueueId: null,
  })
  // who waited already, waits for it from now on
  await until(async () => (await show(before.id)).targets.firstReply?.state === 'running')
  const pushes = await admin.subscribe(ticketChannel)
  const number = newNumber()
  const { id } = await wrote(number)
  const { firstReply, reply, resolution } = (await show(id)).targets
  expect(
    [firstReply, reply, resolution].map(one => [one?.state, inMinutes(one?.dueAt), inMinutes(one?.soonAt)]),
  ).toEqual([
    ['running', 10, 7],
    ['running', 20, 13],
    ['running', 300, 200],
  ])
  const list = await admin.get(tickets.list, { query: { status: 'pending', showAll: true, sort: 'target' } })
  expect(list.tickets.slice(0, 2).map(one => one.id)).toEqual([before.id, id])
  await move(id, { status: 'open', queueId })
  await answer(id, 'Bom dia')
  const answered = (await show(id)).targets
  expect(answered).toMatchObject({
    firstReply: { state: 'kept' },
    reply: { state: 'kept' },
    resolution: { state: 'running' },
  })
  await wrote(number, 'E o preço?')
  expect((await show(id)).targets).toMatchObject({
    firstReply: answered.firstReply!,
    reply: { state: 'running', endedAt: null },
  })
  await answer(id, 'Dez')
  await move(id, { status: 'closed' })
  expect((await show(id)).targets.resolution?.state).toBe('kept')
  await marina.get(tickets.undo, { params: { ticketId: id } })
  expect((await show(id)).targets.resolution).toEqual(resolution)
  await move(id, { status: 'closed' })
  expect(await kept()).toEqual({
    firstReply: { kept: 1, missed: 0 },
    reply: { kept: 2, missed: 0 },
    resolution: { kept: 1, missed: 0 },
  })
  await until(() =>
    pushes.some(one => one.action === 'update' && one.ticket.targets.resolution?.state === 'kept'),
  )
  await admin.get(tickets.change, { params: { ticketId: before.id }, body: { status: 'closed' } })
})

test('what is late is marked, announced to admins once, counted, and moves once to another queue, never back', async () => {
  await promise({ firstReplyMinutes: null, moveToQueueId: other })
  await promise({ replyMinutes: 5, withinHours: false, moveToQueueId: queueId }, other)
  const news = await admin.subscribe(targetMissedChannel)
  const { id } = await wrote()
  const late = { status: 'pending', showAll: true, target: 'late' } as const
  expect((await admin.get(tickets.list, { query: late })).tickets).toEqual([])
  expect(
    (await admin.get(tickets.list, { query: { ...late, target: 'soon' } })).tickets.map(one => one.id),
  ).toEqual([id])
  await pass(id, 'reply')
  const moved = await until(async () => {
    const ticket = await show(id)
    return ticket.queueId === other ? ticket : null
  })
  expect(moved.targets).toMatchObject({ reply: { state: 'missed', endedAt: null }, resolution: null })
  expect((await admin.get(tickets.list, { query: late })).tickets.map(one => one.id)).toEqual([id])
  const { events } = await admin.get(tickets.story, { params: { ticketId: id } })
  expect(events.at(-1)).toMatchObject({ what: 'late', by: null, queue: { id: other } })
  await until(() => news.length === 1)
  expect(news[0]).toMatchObject({ ticketId: id, kind: 'reply', contact: 'Ana' })
  await promise({ resolutionMinutes: 60 }, other)
  await until(async () => (await show(id)).targets.resolution?.state === 'running')
  await pass(id, 'resolution')
  await until(() => news.length === 2)
  expect((await show(id)).queueId).toBe(other)
  const report = await admin.get(targets.missed)
  expect(report.missed.map(({ ticketId, kind }) => [ticketId, kind])).toEqual([
    [id, 'resolution'],
    [id, 'reply'],
  ])
  expect((await stranger.get(targets.missed)).missed).toEqual([])
  expect(await kept()).toMatchObject({ reply: { kept: 2, missed: 1 } })
  expect((await admin.get(targets.export, { query: { what: 'missed' } })).url).toMatch(/xlsx/)
  await promise(
    { firstReplyMinutes: null, replyMinutes: null, resolutionMinutes: null, moveToQueueId: null },
    other,
  )
})

test('a missed target is announced to the attendant of the ticket too, and to no other', async () => {
  await promise({ replyMinutes: 5, withinHours: false, moveToQueueId: null })
  const [own, colleagues, elsewhere] = await Promise.all(
    [marina, await app.as('caio@balcao.test'), stranger].map(who => who.subscribe(targetMissedChannel)),
  )
  const { id } = await wrote()
  await move(id, { status: 'open', queueId })
  await pass(id, 'reply')
  await until(() => own!.length === 1)
  expect(own![0]).toMatchObject({ ticketId: id, kind: 'reply', user: marina.user.name })
  const late = { status: 'open', target: 'late' } as const
  expect((await marina.get(tickets.list, { query: late })).tickets.map(one => one.id)).toContain(id)
  expect([colleagues, elsewhere]).toEqual([[], []])
})

test('only open time counts: outside the hours a clock is paused until they begin, and other hours count from their change on', async () => {
  const weekday = (new Date().getUTCDay() + 3) % 7
  await admin.get(businessHours.change, {
    body: { hours: [{ weekday, opens: 600, closes: 660 }], holidays: [] },
  })
  await promise({ replyMinutes: 15, resolutionMinutes: null, withinHours: true, moveToQueueId: null })
  const { id } = await wrote()
  const { reply } = (await show(id)).targets
  expect(reply?.state).toBe('paused')
  const due = new Date(reply!.dueAt!)
  expect([due.getUTCDay(), due.getUTCHours(), due.getUTCMinutes()]).toEqual([weekday, 13, 15])
  const always = [0, 1, 2, 3, 4, 5, 6].map(day => ({ weekday: day, opens: 0, closes: 1_440 }))
  await admin.get(queues.change, { params: { queueId }, body: { hours: always } })
  const running = await until(async () => {
    const clock = (await show(id)).targets.reply
    return clock?.state === 'running' ? clock : null
  })
  expect(inMinutes(running.dueAt)).toBeLessThanOrEqual(15)
  await admin.get(queues.change, { params: { queueId }, body: { hours: null } })
  await until(async () => (await show(id)).targets.reply?.state === 'paused')
  const zone = (timeZone: string | null) =>
    admin.get(companies.change, { params: { companyId: admin.user.companyId }, body: { timeZone } })
  await zone('Asia/Tokyo')
  // the same hour of the day, by another clock
  await until(async () => new Date((await show(id)).targets.reply!.dueAt!).getUTCHours() === 1)
  await zone(null)
  await admin.get(businessHours.change, { body: { hours: [], holidays: [] } })
})

test('a queue that is deleted takes its targets with it', async () => {
  const gone = await admin.get(queues.create, { body: { name: 'Passageira', color: '#a1b2c3' } })
  await promise({ moveToQueueId: gone.id })
  await promise({ replyMinutes: 3 }, gone.id)
  await admin.get(queues.remove, { params: { queueId: gone.id } })
  expect((await admin.get(targets.show, { params: { queueId } })).moveToQueueId).toBe(null)
})
