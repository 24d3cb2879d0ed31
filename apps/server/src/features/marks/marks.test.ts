import { kanban } from '@balcao/contract/kanban.ts'
import { markChannel, marks } from '@balcao/contract/marks.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import type { TicketListInput } from '@balcao/contract/tickets.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { type SavedViewInput, viewChannel, views } from '@balcao/contract/views.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'
import { wakeInTime } from '../tickets/marks/snooze.actions.ts'

let app: TestApp
let rows: Rows
let [admin, marina, caio, stranger]: Person[] = []
beforeAll(async () => {
  app = await openTestApp()
  const emails = ['admin@balcao.test', 'atendente@balcao.test', 'caio@balcao.test', 'admin@outra.test']
  ;[admin, marina, caio, stranger] = await Promise.all(emails.map(email => app.as(email)))
  rows = rowsOf(app, admin!)
})
afterAll(() => app.close())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const put = (route: 'follow' | 'pin' | 'unread', ticketId: number, on: boolean, who = admin!) =>
  who.call(marks[route], { params: { ticketId }, body: { on } })
const snooze = (ticketId: number, value: string | null, who = admin!) =>
  who.call(marks.snooze, { params: { ticketId }, body: { until: value } })
const show = (ticketId: number, who = admin!) => who.get(tickets.show, { params: { ticketId } })
const list = (query: TicketListInput, who = admin!) => who.get(tickets.list, { query })
const idsIn = async (query: TicketListInput, who = admin!) =>
  (await list(query, who)).tickets.map(({ id }) => id)
const own: TicketListInput = { status: 'open' }

/** The customer of a ticket writes. */
const write = async (ticketId: number, body = 'Oi') => {
  const { contact, whatsappId } = await show(ticketId)
  await admin!.get(simulator.write, {
    params: { whatsappId: whatsappId! },
    body: { number: contact.number, name: 'Rita', body },
  })
}
const history = async (ticketId: number) =>
  (await admin!.get(tickets.story, { params: { ticketId } })).events.map(({ what }) => what)
const inCompany = () => app.platform.scopes.inCompany(admin!.user.companyId)
const makeDue = (ticketId: number) =>
  inCompany().transaction(async tx => {
    await tx.sql.execute(tag`update tickets set snoozed_until = now() where id = ${ticketId}`)
  })

test('a snoozed ticket is in no list, count or board but that of snoozed ones; a search finds it, and it is marked', async () => {
  const ticketId = await rows.ticket()
  const before = await list(own)
  const board = async () =>
    (await admin!.get(kanban.tickets, { query: { showAll: true } })).tickets.map(({ id }) => id)
  expect(await board()).toContain(ticketId)
  const at = inHours(2)
  const { status, body } = await snooze(ticketId, at)
  expect([status, body.snoozedUntil]).toEqual([200, at])
  const after = await list(own)
  expect(after.count).toBe(before.count - 1)
  const queries: TicketListInput[] = [
    own,
    { status: 'open', showAll: true },
    { showAll: true },
    { bot: 'without' },
  ]
  for (const query of queries) expect(await idsIn(query), JSON.stringify(query)).not.toContain(ticketId)
  expect(await board()).not.toContain(ticketId)
  expect(await list({ snoozed: true })).toMatchObject({
    count: 1,
    tickets: [{ id: ticketId, snoozedUntil: at }],
  })
  expect(await idsIn({ snoozed: true, status: 'pending' })).toEqual([])
  const { protocol } = await show(ticketId)
  expect(await idsIn({ tab: 'search', searchParam: protocol })).toEqual([ticketId])
  expect(await idsIn({ snoozed: true }, stranger)).toEqual([])

  expect((await snooze(ticketId, null)).body.snoozedUntil).toBeNull()
  expect((await list(own)).count).toBe(before.count)
  expect((await history(ticketId)).slice(-2)).toEqual(['snoozed', 'awoke'])
})

test('it wakes once at its time, and screens are told of the ticket and of where it was', async () => {
  const ticketId = await rows.ticket()
  await snooze(ticketId, inHours(1))
  expect(await wakeInTime(inCompany(), ticketId)).toBe(false)
  const pushes = await admin!.subscribe(ticketChannel)
  await makeDue(ticketId)
  // beside the worker, which looks each second
  await Promise.all([1, 2, 3].map(() => wakeInTime(inCompany(), ticketId)))
  await until(async () => (await idsIn(own)).includes(ticketId))
  expect((await history(ticketId)).filter(what => what === 'awoke')).toHaveLength(1)
  await until(() => pushes.length > 0)
  expect(pushes.at(-1)).toMatchObject({
    action: 'update',
    ticket: { id: ticketId, snoozedUntil: null },
    before: { status: 'open', snoozedUntil: expect.any(String) },
  })
  expect((await idsIn(own))[0]).toBe(ticketId)
})

test('the customer’s word wakes it at once, an answer does not; whoever moves it wakes it, too', async () => {
  const [written, answered, resolved] = [await rows.ticket(), await rows.ticket(), await rows.ticket()]
  for (const ticketId of [written, answered, resolved]) await snooze(ticketId, inHours(1))
  await write(written)
  await until(async () => (await show(written)).snoozedUntil === null)
  expect((await list(own)).tickets.find(({ id }) => id === written)).toMatchObject({ unreadMessages: 2 })
  const params = { ticketId: answered, companyId: admin!.user.companyId }
  await admin!.get(messages.send, { params, body: { body: 'Um momento' } })
  expect((await show(answered)).snoozedUntil).not.toBeNull()
  const to = { transf: true, userId: admin!.user.id }
  await admin!.get(tickets.change, { params: { ticketId: answered }, body: to })
  expect((await show(answered)).snoozedUntil).toBeNull()
  await admin!.get(tickets.change, { params: { ticketId: resolved }, body: { status: 'closed' } })
  expect(await show(resolved)).toMatchObject({ status: 'closed', snoozedUntil: null })
  expect((await snooze(resolved, inHours(1))).body.error).toBe('ERR_TICKET_NOT_OPEN')
})

test('what the customer wrote wakes it before it can be read', async () => {
  const ticketId = await rows.ticket()
  await snooze(ticketId, inHours(1))
  const { contact, whatsappId } = await show(ticketId)
  await inCompany().transaction(tx =>
    receiveMessage(tx, whatsappId!, {
      ...{ kind: 'message', chat: { kind: 'phone', value: contact.number }, name: '', fromMe: false },
      ...{ externalId: unique(), body: '', mediaType: 'ciphertext', at: new Date().toISOString() },
    }),
  )
  expect((await show(ticketId)).snoozedUntil).toBeNull()
  expect((await history(ticketId)).at(-1)).toBe('awoke')
})

test('a version that knows of no snooze closes a snoozed ticket: it is snoozed no longer', async () => {
  const ticketId = await rows.ticket()
  const before = await list({ snoozed: true })
  await snooze(ticketId, inHours(1))
  await app.database.script(`update tickets set status = 'closed', closed_at = now() where id = ${ticketId}`)
  expect(await show(ticketId)).toMatchObject({ status: 'closed', snoozedUntil: null })
  expect((await list({ snoozed: true })).count).toBe(before.count)
})

test.each([inHours(-1), inHours(24 * 367), 'amanhã', '', 5])(
  'a snooze until %s is refused with its field',
  async at => {
    const { status, body } = await snooze(await rows.ticket(), at as string)
    expect([status, body.field]).toEqual([400, 'until'])
  },
)

test('pinned ones stand before the first page, and on no other; the mark is the asker’s alone', async () => {
  const first = await rows.ticket()
  for (let more = 0; more < 41; more++) await rows.ticket()
  expect(await idsIn(own)).not.toContain(first)
  const heard = await admin!.subscribe(markChannel)
  const others = await marina!.subscribe(markChannel)
  expect((await put('pin', first, true)).body).toMatchObject({ id: first, pinned: true, following: false })
  const page = await list(own)
  expect([page.tickets[0]!.id, page.tickets[0]!.pinned, page.marks]).toEqual([
    first,
    true,
    { pinned: [first], following: [] },
  ])
  expect(page.tickets[1]).toMatchObject({ pinned: false, following: false })
  expect(await idsIn({ ...own, pageNumber: 2 })).not.toContain(first)
  expect(await show(first)).toMatchObject({ pinned: true })
  expect((await list({ ...own, showAll: true }, marina!)).marks).toBeUndefined()
  await until(() => heard.length > 0)
  expect(heard.at(-1)).toMatchObject({ ticket: { id: first, pinned: true } })
  expect(others).toEqual([])
  await put('pin', first, false)
  expect(await idsIn(own)).not.toContain(first)
  expect((await show(first)).pinned).toBe(false)
})

test('who follows a ticket has it in a list, as long as it may be seen', async () => {
  const ticketId = await rows.ticket()
  expect(await idsIn({ following: true })).toEqual([])
  await put('follow', ticketId, true)
  await put('pin', ticketId, true)
  expect((await list({ following: true })).tickets).toMatchObject([
    { id: ticketId, following: true, pinned: true },
  ])
  const to = { transf: true, userId: admin!.user.id }
  const moved = await admin!.get(tickets.change, { params: { ticketId }, body: to })
  expect(moved).toMatchObject({ following: true, pinned: true })
  await put('pin', ticketId, false)
  expect(await show(ticketId)).toMatchObject({ following: true, pinned: false })
  await put('follow', ticketId, false)
  expect(await idsIn({ following: true })).toEqual([])
})

test('what is new in a followed ticket is one entry until it is seen, for its followers alone', async () => {
  const ticketId = await rows.ticket()
  const to = { transf: true, userId: admin!.user.id, queueId: marina!.user.queues[0]!.id }
  await admin!.get(tickets.change, { params: { ticketId }, body: to })
  await put('follow', ticketId, true, marina!)
  await put('follow', ticketId, true)
  const news = (who: Person) => idsIn({ news: true }, who)
  const pushes = await marina!.subscribe(markChannel)
  await write(ticketId)
  await write(ticketId, 'Alguém?')
  await until(async () => (await news(marina!)).length > 0)
  // its attendant has it as unread
  expect(await Promise.all([marina!, admin!, caio!, stranger!].map(news))).toEqual([[ticketId], [], [], []])
  expect((await marina!.call(marks.seen, { params: { ticketId } })).status).toBe(200)
  expect(await news(marina!)).toEqual([])
  expect((await stranger!.call(marks.seen, { params: { ticketId } })).status).toBe(404)
  await write(ticketId, 'Oi?')
  await until(async () => (await news(marina!)).length > 0)
  await put('follow', ticketId, false, marina!)
  expect(await news(marina!)).toEqual([])
  expect(pushes.filter(push => 'news' in push)).toEqual(Array(3).fill({ news: ticketId }))
})

test('of a deleted ticket no mark is left, also where its user could not see it any more', async () => {
  const ticketId = await rows.ticket()
  const shared = marina!.user.queues[0]!.id
  const to = (queueId: number) => ({ transf: true, userId: admin!.user.id, queueId })
  await admin!.get(tickets.change, { params: { ticketId }, body: to(shared) })
  await put('follow', ticketId, true, marina!)
  const queue = await admin!.get(queues.create, { body: { name: `Zona ${unique()}`, color: `#${unique()}` } })
  await admin!.get(tickets.change, { params: { ticketId }, body: to(queue.id) })
  expect((await list({ tab: 'closed' }, marina!)).marks).toEqual({ pinned: [], following: [ticketId] })
  const pushes = await marina!.subscribe(markChannel)
  await admin!.get(tickets.remove, { params: { ticketId } })
  await until(() => pushes.length > 0)
  expect(pushes).toEqual([{ removed: ticketId }])
  expect((await list({ tab: 'closed' }, marina!)).marks).toBeUndefined()
})

test('unread is a mark that everybody sees until its attendant reads it', async () => {
  const ticketId = await rows.ticket()
  await admin!.get(messages.list, { params: { ticketId } })
  expect((await show(ticketId)).unreadMessages).toBe(0)
  expect((await put('unread', ticketId, true)).body.unreadMessages).toBe(1)
  expect(await idsIn({ ...own, withUnreadMessages: true })).toContain(ticketId)
  await admin!.get(messages.list, { params: { ticketId } })
  expect((await show(ticketId)).unreadMessages).toBe(0)
  await put('unread', ticketId, true)
  expect((await put('unread', ticketId, false)).body.unreadMessages).toBe(0)
})

test('of another company, and of a queue of others, there is no ticket to mark', async () => {
  const ticketId = await rows.ticket()
  const queue = await admin!.get(queues.create, { body: { name: `Fila ${unique()}`, color: `#${unique()}` } })
  const to = { transf: true, userId: admin!.user.id, queueId: queue.id }
  await admin!.get(tickets.change, { params: { ticketId }, body: to })
  for (const who of [stranger!, caio!]) {
    const answers = [
      await snooze(ticketId, inHours(1), who),
      ...(await Promise.all(
        (['pin', 'follow', 'unread'] as const).map(mark => put(mark, ticketId, true, who)),
      )),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  }
})

const add = (who: Person, body: Partial<SavedViewInput> = {}) =>
  who.call(views.create, { body: { name: 'Urgentes', filters: {}, ...body } })
const viewsOf = async (who: Person) => (await who.get(views.list)).views

test('a view keeps filters and order, counts what its user sees, and survives a deleted queue', async () => {
  const [queue] = await admin!.get(queues.list)
  const filters = { status: 'open' as const, queueIds: [queue!.id, 2_000_000] }
  const made = (await add(admin!, { filters, sort: 'waiting' })).body
  expect(made).toMatchObject({ name: 'Urgentes', shared: false, mine: true, filters, sort: 'waiting' })
  const seen = await idsIn({ ...filters, showAll: true })
  expect(seen.length).toBeGreaterThan(0)
  const { count } = (await viewsOf(admin!)).find(({ id }) => id === made.id)!
  expect(count).toBe(Math.min(100, (await list(filters)).count))
  const params = { viewId: made.id }
  const changed = await admin!.get(views.change, {
    params,
    body: { name: 'Da fila', filters: { bot: 'only' } },
  })
  expect(changed).toMatchObject({ name: 'Da fila', filters: { bot: 'only' }, sort: 'waiting' })
  expect(changed.filters).toEqual({ bot: 'only' })
  await admin!.get(views.remove, { params })
  expect(await viewsOf(admin!)).toEqual([])
})

test('another’s own view is not there; a shared one is for all, and changed by who may share', async () => {
  const hers = (await add(marina!)).body
  const params = { viewId: hers.id }
  for (const who of [admin!, caio!, stranger!]) {
    expect((await viewsOf(who)).map(({ id }) => id)).not.toContain(hers.id)
    const answers = [
      await who.call(views.change, { params, body: { name: 'x' } }),
      await who.call(views.remove, { params }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  }
  expect((await add(marina!, { shared: true })).body.error).toBe('ERR_NO_PERMISSION')
  const heard = await Promise.all([marina!, stranger!].map(who => who.subscribe(viewChannel)))
  const shared = (await add(admin!, { shared: true })).body
  await until(() => heard[0]!.length > 0)
  expect(heard).toEqual([[{ viewId: shared.id }], []])
  expect(await viewsOf(marina!)).toMatchObject([
    { id: hers.id },
    { id: shared.id, mine: false, shared: true },
  ])
  expect(await viewsOf(stranger!)).toEqual([])
  const toShared = { params: { viewId: shared.id } }
  const refused = await marina!.call(views.change, { ...toShared, body: { name: 'Minha' } })
  expect(refused.body.error).toBe('ERR_NO_PERMISSION')
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'a'.repeat(41) }, 'name'],
  [{ filters: { status: 'strange' } }, 'filters.status'],
  [{ filters: null }, 'filters'],
  [{ sort: 'oldest' }, 'sort'],
])('a view that is no view is refused with its field: %#', async (body, field) => {
  const answer = await add(admin!, body as Partial<SavedViewInput>)
  expect([answer.status, answer.body.field]).toEqual([400, field])
})
