import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'
import { tags } from '../../tags/tags.table.ts'

let app: TestApp
let helena: Person
let ticketId: number
let tagIds: number[]

beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  ticketId = await rowsOf(app, helena).ticket()
  const known = await app.platform.scopes
    .inCompany(helena.user.companyId)
    .transaction(tx => tx.sql.select({ id: tags.id }).from(tags))
  tagIds = known.map(tag => tag.id)
})
afterAll(() => app.close())

const add = (tagId: string) => helena.get(tickets.addTag, { params: { ticketId, tagId } })

test('tags are taken off and put on, and the colleagues see it [CONV-009, API-006]', async () => {
  const pushes = await (await app.as('caio@balcao.test')).subscribe(ticketChannel)
  expect((await helena.get(tickets.clearTags, { params: { ticketId } })).tags).toEqual([])
  const [first, second] = tagIds.map(String)
  await add(first!)
  const { tags } = await add(second!)
  expect(tags.map(tag => tag.id).sort()).toEqual([Number(first), Number(second)].sort())
  await until(() => pushes.some(push => push.action === 'update' && push.ticket.tags.length === 2))
})

test('the same tag twice is one, and one that is not there changes nothing [OP-104, KANBAN-009]', async () => {
  const before = await helena.get(tickets.show, { params: { ticketId } })
  expect((await add(String(before.tags[0]!.id))).tags).toEqual(before.tags)
  for (const nowhere of ['0', '999999', 'null']) expect((await add(nowhere)).tags).toEqual(before.tags)
  for (const path of [`/ticket-tags/${ticketId}`, `/ticket-tags/${ticketId}/`]) {
    const headers = { authorization: `Bearer ${helena.token}` }
    const unnamed = await fetch(`${app.url}${path}`, { method: 'PUT', headers })
    expect([unnamed.status, ((await unnamed.json()) as typeof before).tags]).toEqual([200, before.tags])
  }
})

test('the tags of a ticket are those that are synced, named by id or sent whole [CONV-009, API-021]', async () => {
  const [first, second] = tagIds
  const sync = (tags: (number | { id: number })[]) =>
    helena.get(tickets.syncTags, { body: { ticketId, tags } })
  const { version, ...one } = await sync([{ id: first! }])
  expect(one.tags.map(({ id }) => id)).toEqual([first])
  expect((await sync([first!, first!])).version).toBe(version)
  expect((await sync([second!, first!])).tags).toHaveLength(2)
  expect((await sync([])).tags).toEqual([])
})
