import { kanban } from '@balcao/contract/kanban.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { tagChannel, tags } from '@balcao/contract/tags.ts'
import { type TicketPush, ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let marina: Person
let helena: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  marina = await app.as('atendente@balcao.test')
  helena = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, helena)
})
afterAll(() => app.close())

const addTag = (name: string, kanban: 0 | 1 = 1, who = helena) =>
  who.get(tags.create, { body: { name, color: '#1273de', kanban } })
const label = (ticketId: number, ...tagIds: number[]) =>
  helena.get(tickets.syncTags, { body: { ticketId, tags: tagIds } })
const tagsOf = async (ticketId: number) =>
  (await helena.get(tickets.show, { params: { ticketId } })).tags.map(({ id }) => id)
const move = (who: Person, ticketIds: number[], tagId: number | null) =>
  who.call(kanban.move, { body: { ticketIds, tagId } })
const board = async (who: Person, query: object = {}) => (await who.get(kanban.tickets, { query })).tickets
const everything = { showAll: true }

/** Into a queue that Marina does not attend. */
async function inStrangeQueue(ticketId: number) {
  const queueId = await rows.queue()
  const body = { transf: true, queueId, userId: helena.user.id }
  await helena.get(tickets.change, { params: { ticketId }, body })
  return queueId
}

test('the lanes are the tags that say so, by name, under the key lista (KANBAN-011) [API-027, API-028, ENTITY-030, OP-102 … OP-103, TAG-010, KANBAN-001, KANBAN-011]', async () => {
  const [second, first] = [await addTag('Raia B'), await addTag('Raia A')]
  await addTag('Sem raia', 0)
  const { lista } = await marina.get(kanban.lanes)
  const names = lista.map(({ name }) => name)
  expect(names.filter(name => name.includes('aia'))).toEqual(['Raia A', 'Raia B'])
  const { ticketsCount: _count, ...choice } = first
  expect(lista).toContainEqual(choice)
  expect((await stranger.get(kanban.lanes)).lista.map(({ id }) => id)).not.toContain(second.id)
})

test('lanes are put in order for everybody of the company, who hear it; others follow by name [KANBAN-001]', async () => {
  const [a, b, c] = [await addTag('Zz um'), await addTag('Zz dois'), await addTag('Zz três')]
  const plain = await addTag('Zz nada', 0)
  const foreign = await addTag('Zz um', 1, stranger)
  const own = [a, b, c].map(({ id }) => id)
  const shown = async (who = marina) =>
    (await who.get(kanban.lanes)).lista.map(({ id }) => id).filter(id => own.includes(id))
  expect(await shown()).toEqual([b.id, c.id, a.id])
  const [pushes, elsewhere] = [await marina.subscribe(tagChannel), await stranger.subscribe(tagChannel)]
  const order = (who: Person, ...tagIds: number[]) => who.call(kanban.order, { body: { tagIds } })
  const { body } = await order(helena, c.id, a.id)
  expect(body.lista.slice(0, 2).map(({ id }) => id)).toEqual([c.id, a.id])
  expect(await shown()).toEqual([c.id, a.id, b.id])
  await until(() => pushes.some(push => push.action === 'update' && push.tag.id === c.id))
  expect(elsewhere).toEqual([])
  const late = await addTag('Zz a última')
  expect((await marina.get(kanban.lanes)).lista.at(-1)!.id).toBe(late.id)
  const refused = { status: 404, body: { error: 'ERR_NO_TAG_FOUND', field: 'tagIds' } }
  for (const id of [plain.id, foreign.id]) expect(await order(marina, a.id, id)).toMatchObject(refused)
  expect(await order(stranger, a.id)).toMatchObject(refused)
  expect(await shown()).toEqual([c.id, a.id, b.id])
})

test('the board holds what lives in the sight of the viewer, who waits longest first, whatever test says [API-027, API-028, ENTITY-029, OP-102 … OP-103, OP-105, KANBAN-007, KANBAN-011]', async () => {
  const [open, closed] = [await rows.ticket(), await rows.ticket()]
  await rows.customer()
  await helena.get(tickets.change, { params: { ticketId: closed }, body: { status: 'closed' } })
  const shown = await board(marina)
  const ids = shown.map(({ id }) => id)
  expect([ids.includes(open), ids.includes(closed)]).toEqual([true, false])
  const living = async (status: 'open' | 'pending') =>
    (await marina.get(tickets.list, { query: { tab: 'search', searchTicketStatus: status } })).count
  expect(shown.length).toBe((await living('open')) + (await living('pending')))
  expect(shown.every(({ status }) => status !== 'closed')).toBe(true)
  const since = shown.map(({ waitingSince }) => waitingSince ?? '~')
  expect(since).toEqual(since.toSorted())
  const own = marina.user.queues.map(({ id }) => id)
  expect(
    shown.every(
      ({ queueId, userId }) => queueId === null || own.includes(queueId) || userId === marina.user.id,
    ),
  ).toBe(true)
  const call: Route = kanban.tickets
  const asDocumented = await marina.get(call, { query: { queueIds: JSON.stringify(own), test: 'x' } })
  const chosen = (asDocumented as { tickets: { queueId: number }[] }).tickets
  expect(chosen.length).toBeGreaterThan(0)
  expect(chosen.every(({ queueId }) => own.includes(queueId))).toBe(true)
})

test('queues that are not the viewer’s show nothing, and nothing of another company is ever there [KANBAN-007]', async () => {
  const ticketId = await rows.ticket()
  const queueId = await inStrangeQueue(ticketId)
  expect((await board(helena, everything)).map(({ id }) => id)).toContain(ticketId)
  expect(await board(marina, { queueIds: [queueId], showAll: true })).toEqual([])
  expect((await board(stranger, everything)).map(({ id }) => id)).not.toContain(ticketId)
})

test('words and filters narrow the board as they narrow a search', async () => {
  const lane = await addTag('Procurada')
  const ticketId = await rows.ticket()
  await label(ticketId, lane.id)
  const found = await board(helena, { ...everything, tags: [lane.id] })
  expect(found.map(({ id }) => id)).toEqual([ticketId])
  const searchParam = found[0]!.contact.name
  expect((await board(helena, { ...everything, searchParam })).map(({ id }) => id)).toContain(ticketId)
  expect(await board(helena, { ...everything, searchParam: 'ninguém se chama assim' })).toEqual([])
})

test('a move replaces the lane and leaves every other tag; to the first lane it takes the lane off (KANBAN-008) [KANBAN-008, KANBAN-009]', async () => {
  const [from, to, other] = [
    await addTag('Raia de cá'),
    await addTag('Raia de lá'),
    await addTag('Vip mesmo', 0),
  ]
  const ticketId = await rows.ticket()
  await label(ticketId, from.id, other.id)
  expect(await move(helena, [ticketId], to.id)).toMatchObject({ status: 200 })
  expect((await tagsOf(ticketId)).toSorted()).toEqual([to.id, other.id].toSorted())
  await move(helena, [ticketId], null)
  expect(await tagsOf(ticketId)).toEqual([other.id])
  const counted = await helena.get(tags.show, { params: { tagId: to.id } })
  expect(counted.ticketsCount).toBe(0)
})

test('several cards are moved together, all or none, and everybody who sees them hears it once', async () => {
  const lane = await addTag('Juntas')
  const [one, two] = [await rows.ticket(), await rows.ticket()]
  const pushes: TicketPush[] = await helena.subscribe(ticketChannel)
  const foreign = await stranger.subscribe(ticketChannel)
  expect(await move(helena, [one, 2_000_000_000], lane.id)).toMatchObject({
    status: 404,
    body: { error: 'ERR_NO_TICKET_FOUND' },
  })
  expect(await tagsOf(one)).toEqual([])
  const moved = await helena.get(kanban.move, { body: { ticketIds: [two, one, two], tagId: lane.id } })
  expect(moved.tickets.map(({ id }) => id)).toEqual([one, two].toSorted((a, b) => a - b))
  await until(() => pushes.length >= 2)
  expect(pushes).toMatchObject(
    moved.tickets.map(({ id, tags }) => ({ action: 'update', ticket: { id, tags } })),
  )
  expect(foreign).toEqual([])
  // the same move again changes nothing and is not published
  await move(helena, [one, two], lane.id)
  expect((await tagsOf(one)).length).toBe(1)
  expect(pushes.length).toBe(2)
})

test('two people who move the same cards at once end with one lane: the last one’s', async () => {
  const [left, right] = [await addTag('Esquerda'), await addTag('Direita')]
  const ids = [await rows.ticket(), await rows.ticket()]
  const answers = await Promise.all([
    move(helena, ids, left.id),
    move(helena, ids.toReversed(), right.id),
    move(helena, ids, left.id),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const [one, two] = await Promise.all(ids.map(tagsOf))
  expect(one).toHaveLength(1)
  expect(two).toEqual(one)
})

test('no lane, and nobody’s ticket: what cannot be moved is refused and stays', async () => {
  const plain = await addTag('Não é raia', 0)
  const foreign = await addTag('Raia alheia', 1, stranger)
  const ticketId = await rows.ticket()
  const noTag = { status: 404, body: { error: 'ERR_NO_TAG_FOUND', field: 'tagId' } }
  expect(await move(helena, [ticketId], plain.id)).toMatchObject(noTag)
  expect(await move(helena, [ticketId], foreign.id)).toMatchObject(noTag)
  const lane = await addTag('Raia própria')
  await inStrangeQueue(ticketId)
  const notFound = { status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } }
  expect(await move(stranger, [ticketId], null)).toMatchObject(notFound)
  expect(await move(marina, [ticketId], lane.id)).toMatchObject(notFound)
  expect(await tagsOf(ticketId)).toEqual([])
  const anything: Route = kanban.move
  for (const [body, field] of [
    [{ ticketIds: [], tagId: null }, 'ticketIds'],
    [{ ticketIds: [ticketId], tagId: 'x' }, 'tagId'],
    [{ tagId: null }, 'ticketIds'],
  ] as const)
    expect(await helena.call(anything, { body })).toMatchObject({ status: 400, body: { field } })
})
