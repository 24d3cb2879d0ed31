import type { Route } from '@balcao/contract/kit.ts'
import { tagChannel, tags, tagUserChannel } from '@balcao/contract/tags.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
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

const add = (name: string, who = marina) => who.get(tags.create, { body: { name, color: '#1273DE' } })
const list = async (searchParam: string, who = marina) =>
  (await who.get(tags.list, { query: { searchParam } })).tags
const show = (tagId: number) => marina.get(tags.show, { params: { tagId } })

test('a tag is added, found by its name, changed and deleted, by all the fields of the documents [API-021, ENTITY-026, TAG-010, TAG-012]', async () => {
  const added = await add('Lua cheia')
  const { id } = added
  expect(added).toEqual({
    id,
    name: 'Lua cheia',
    color: '#1273DE',
    kanban: 0,
    position: null,
    userId: marina.user.id,
    ticketsCount: 0,
  })
  expect(await list('LUA')).toEqual([added])

  const body = { name: 'sol', color: '#fa0', kanban: 1 as const, userId: helena.user.id }
  const changed = await marina.get(tags.change, { params: { tagId: id }, body })
  expect(changed).toEqual({ ...body, id, position: null, ticketsCount: 0 })
  expect(await show(id)).toEqual(changed)
  const { ticketsCount: _count, ...choice } = changed
  expect(await marina.get(tags.all)).toContainEqual(choice)

  await helena.get(tags.remove, { params: { tagId: id } })
  expect(await list('sol')).toEqual([])
})

test('twenty a page, in order whatever the case, first what begins with the words [TAG-001 … TAG-004, TAG-008]', async () => {
  for (let at = 20; at >= 0; at--) await add(`${at % 2 ? 'p' : 'P'}onto ${String(at).padStart(2, '0')}`)
  await add('Um ponto')
  const page = (pageNumber: number) => marina.get(tags.list, { query: { searchParam: 'ponto', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.tags.length, first.tags[0]?.name, first.hasMore]).toEqual([20, 'Ponto 00', true])
  expect(second).toMatchObject({ tags: [{ name: 'Ponto 20' }, { name: 'Um ponto' }], hasMore: false })
})

test('every change is heard by the whole company under both names, and by no other [API-021, EVENT-016, OP-37, TAG-009]', async () => {
  const [pushes, alsoPushed] = [await marina.subscribe(tagChannel), await helena.subscribe(tagUserChannel)]
  const elsewhere = [await stranger.subscribe(tagChannel), await stranger.subscribe(tagUserChannel)]
  const added = await add('Ouvida')
  const params = { tagId: added.id }
  const changed = await marina.get(tags.change, { params, body: { name: 'Lida' } })
  const ticketId = await rows.ticket()
  await marina.get(tickets.syncTags, { body: { ticketId, tags: [added.id] } })
  await helena.get(tickets.remove, { params: { ticketId } })
  await helena.get(tags.remove, { params })
  const all = [
    { action: 'create', tag: added },
    { action: 'update', tag: changed },
    { action: 'update', tag: { ...changed, ticketsCount: 1 } },
    { action: 'update', tag: { ...changed, ticketsCount: 0 } },
    { action: 'delete', tagId: added.id },
  ]
  await until(() => pushes.length === all.length && alsoPushed.length === all.length)
  expect([pushes, alsoPushed, ...elsewhere]).toEqual([all, all, [], []])
})

test('two tags of one name are refused at the name, also by another case; another company may have it', async () => {
  const [one, other] = [await add('Dourada'), await add('Prateada')]
  const taken = { status: 409, body: { error: 'ERR_NAME_EXISTS', field: 'name' } }
  expect(await marina.call(tags.create, { body: { name: 'DOURADA' } })).toMatchObject(taken)
  const rename = (tagId: number, name: string) =>
    marina.call(tags.change, { params: { tagId }, body: { name } })
  expect(await rename(other.id, 'dourada')).toMatchObject(taken)
  expect((await rename(one.id, 'dourada')).status).toBe(200)
  expect((await add('Dourada', stranger)).name).toBe('Dourada')
})

test('a tag renamed to another’s name is told which, and may become one with it, on all its tickets', async () => {
  const [from, into] = [await add('Urgentte'), await add('Urgente')]
  const [both, one] = [await rows.ticket(), await rows.ticket()]
  await marina.get(tickets.syncTags, { body: { ticketId: both, tags: [from.id, into.id] } })
  await marina.get(tickets.syncTags, { body: { ticketId: one, tags: [from.id] } })
  const params = { tagId: from.id }
  const refused = await marina.call(tags.change, { params, body: { name: 'URGENTE' } })
  expect(refused).toMatchObject({ status: 409, body: { details: { tagId: into.id } } })
  const pushes = await helena.subscribe(ticketChannel)
  const merge = (tagId: number) => helena.call(tags.merge, { params, body: { into: tagId } })
  expect((await merge(from.id)).status).toBe(400)
  expect((await merge((await add('alheia', stranger)).id)).status).toBe(404)
  expect((await merge(into.id)).body).toEqual({ ...into, ticketsCount: 2 })
  expect((await marina.call(tags.show, { params })).status).toBe(404)
  for (const ticketId of [both, one]) {
    const ticket = await marina.get(tickets.show, { params: { ticketId } })
    expect(ticket.tags.map(({ id }) => id)).toEqual([into.id])
    await until(() => pushes.some(push => push.action === 'update' && push.ticket.id === ticketId))
  }
})

test('of another company it is not there, nor can it be put on a ticket', async () => {
  const theirs = await add('segredo', stranger)
  const params = { tagId: theirs.id }
  expect(await list('segredo')).toEqual([])
  expect((await marina.get(tags.all)).map(({ id }) => id)).not.toContain(theirs.id)
  for (const route of [tags.show, tags.remove])
    expect(await helena.call(route, { params })).toMatchObject({ status: 404, body: { field: 'tagId' } })
  expect((await marina.call(tags.change, { params, body: { name: 'meu' } })).status).toBe(404)
  const body = { ticketId: await rows.ticket(), tags: [theirs.id] }
  expect(await marina.call(tickets.syncTags, { body })).toMatchObject({
    status: 404,
    body: { error: 'ERR_NO_TAG_FOUND', field: 'tags' },
  })
  expect(
    (await marina.call(tags.create, { body: { name: 'alheia', userId: stranger.user.id } })).status,
  ).toBe(404)
  expect(await list('segredo', stranger)).toEqual([theirs])
})

test('what its tickets show follows it; a user who leaves leaves his tags', async () => {
  const { id: userId } = await helena.get(users.show, { params: { userId: await rows.user() } })
  const { id } = await helena.get(tags.create, { body: { name: 'Herdada', userId } })
  const ticketId = await rows.ticket()
  const shown = async () => (await helena.get(tickets.show, { params: { ticketId } })).tags
  await helena.get(tickets.syncTags, { body: { ticketId, tags: [{ id }] } })
  await helena.get(tags.change, { params: { tagId: id }, body: { name: 'Nova', color: '#000000' } })
  expect(await shown()).toEqual([{ id, name: 'Nova', color: '#000000' }])
  expect(await list('nova')).toMatchObject([{ ticketsCount: 1 }])
  await helena.get(users.remove, { params: { userId } })
  expect(await show(id)).toMatchObject({ userId: null })
  await helena.get(tags.remove, { params: { tagId: id } })
  expect(await shown()).toEqual([])
})

/** What no screen would send. */
const anything: Route = tags.create

test.each<[object, string, string]>([
  [{ name: '' }, 'name', 'Required'],
  [{}, 'name', 'Required'],
  [{ name: ' ab ' }, 'name', 'Mensagem muito curta'],
  [{ name: 'a'.repeat(51) }, 'name', 'Too Long!'],
  [{ name: 'sol', color: 'red' }, 'color', ''],
  [{ name: 'sol', color: '#12345' }, 'color', ''],
  [{ name: 'sol', kanban: 2 }, 'kanban', ''],
  [{ name: 'sol', userId: 'x' }, 'userId', ''],
])(
  'what is missing or wrong is refused with its field: case %# [TAG-005, TAG-012]',
  async (body, field, message) => {
    const answer = await marina.call(anything, { body })
    expect(answer).toMatchObject({
      status: 400,
      body: { field, message: expect.stringContaining(message) },
    })
  },
)
