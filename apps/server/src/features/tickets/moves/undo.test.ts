import { type BulkInput, bulk } from '@balcao/contract/bulk.ts'
import { connections } from '@balcao/contract/connections.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tags } from '@balcao/contract/tags.ts'
import { type Ticket, tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../../testing/test-app.ts'
import { eq, sql } from '../../../platform/postgres/sql.ts'
import { ticketHistory } from '../tickets.table.ts'

let app: TestApp
let admin: Person
let marina: Person
let caio: Person
let whatsappId: number

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const product = () => app.platform.scopes.inCompany(admin.user.companyId)
const change = (person: Person, ticketId: number, body: object) =>
  person.get(tickets.change, { params: { ticketId }, body })
const undo = (person: Person, ticketId: number) => person.call(tickets.undo, { params: { ticketId } })
const place = ({ status, userId, queueId }: Pick<Ticket, 'status' | 'userId' | 'queueId'>) => ({
  status,
  userId,
  queueId,
})

/** A customer waits in a queue. */
async function waiting(number = newNumber()) {
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, body: 'Oi' } })
  const found = await until(async () => {
    const { tickets: all } = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return all.find(ticket => ticket.contact.number === number)
  })
  return change(admin, found.id, { transf: true, queueId: marina.user.queues[0]!.id })
}

test('accepting, returning, handing on and resolving are taken back, and the ticket stands where it stood', async () => {
  const before = await waiting()
  const other = { transf: true, queueId: marina.user.queues[1]!.id, userId: caio.user.id }
  await change(marina, before.id, { status: 'open' })
  expect(place((await undo(marina, before.id)).body)).toEqual(place(before))
  const mine = place(await change(marina, before.id, { status: 'open' }))
  for (const act of [{ status: 'pending' }, other, { status: 'closed' }]) {
    await change(marina, before.id, act)
    expect(place((await undo(marina, before.id)).body)).toEqual(mine)
  }
  const moves = await product().transaction(tx =>
    tx.sql.select().from(ticketHistory).where(eq(ticketHistory.ticketId, before.id)),
  )
  expect(moves.filter(move => move.what === 'undone')).toHaveLength(4)
})

test('the customer is neither greeted nor taken leave of again', async () => {
  await admin.get(users.change, {
    params: { userId: admin.user.id },
    body: { greetingMessage: 'Sou eu', enableGreeting: true },
  })
  await admin.get(connections.change, { params: { whatsappId }, body: { farewellMessage: 'Até logo' } })
  const number = newNumber()
  const { id } = await waiting(number)
  await change(admin, id, { status: 'open' })
  await change(admin, id, { status: 'closed' })
  expect((await undo(admin, id)).status).toBe(200)
  const messages = () => admin.get(simulator.chat, { params: { whatsappId, number } })
  await until(async () => (await messages()).length >= 3)
  await change(admin, id, { status: 'closed' })
  await until(async () => (await messages()).length >= 4)
  expect((await messages()).map(one => one.body)).toEqual(['Oi', 'Sou eu', 'Até logo', 'Até logo'])
  await admin.get(connections.change, { params: { whatsappId }, body: { farewellMessage: '' } })
})

test('only one’s own last move, and only a moment ago: not a colleague’s, not twice, not later', async () => {
  const { id } = await waiting()
  const refused = { status: 409, body: expect.objectContaining({ error: 'ERR_TICKET_MOVED_ON' }) }
  await change(marina, id, { status: 'open' })
  expect(await undo(caio, id)).toMatchObject(refused)
  expect((await undo(marina, id)).status).toBe(200)
  expect(await undo(marina, id)).toMatchObject(refused)
  await change(marina, id, { status: 'open' })
  await change(admin, id, { transf: true, queueId: marina.user.queues[0]!.id, userId: caio.user.id })
  expect(await undo(marina, id)).toMatchObject(refused)
  await change(caio, id, { status: 'closed' })
  await product().transaction(tx =>
    tx.sql
      .update(ticketHistory)
      .set({ at: sql`now() - interval '1 minute'` })
      .where(eq(ticketHistory.ticketId, id)),
  )
  expect(await undo(caio, id)).toMatchObject(refused)
})

test('of another company’s ticket there is nothing to undo', async () => {
  const { id } = await waiting()
  await change(marina, id, { status: 'open' })
  const stranger = await app.as('admin@outra.test')
  expect((await undo(stranger, id)).status).toBe(404)
})

type WithoutIds<T> = T extends unknown ? Omit<T, 'ids'> : never
type BulkChange = WithoutIds<BulkInput>

test('many tickets are given, moved, tagged and resolved in one call, quietly; each that is refused is named, and all of it is taken back', async () => {
  const own = [await waiting(), await waiting()]
  const stranger = await app.as('admin@outra.test')
  const foreign =
    (await stranger.get(tickets.list, { query: { showAll: true } })).tickets[0]?.id ?? 2_000_000_000
  const ids = own.map(({ id }) => id)
  const many = (body: BulkChange, who = admin) =>
    who.get(bulk.change, { body: { ...body, ids: [...ids, foreign] } })
  const refused = [{ id: foreign, error: 'ERR_NO_TICKET_FOUND' }]
  const now = () => Promise.all(ids.map(ticketId => admin.get(tickets.show, { params: { ticketId } })))
  expect(await many({ action: 'assign', userId: marina.user.id })).toEqual({
    done: ids,
    changed: ids,
    refused,
  })
  expect((await now()).map(place)).toEqual(
    own.map(({ queueId }) => ({ status: 'open', userId: marina.user.id, queueId })),
  )
  await many({ action: 'undo' })
  expect((await now()).map(place)).toEqual(own.map(place))
  const queueId = marina.user.queues[1]!.id
  await many({ action: 'transfer', queueId })
  const tag = await admin.get(tags.create, { body: { name: `Muitos ${newNumber()}`, color: '#123456' } })
  await many({ action: 'tag', tagIds: [tag.id] })
  expect((await now()).map(one => [one.queueId, one.tags.map(({ id }) => id)])).toEqual(
    ids.map(() => [queueId, [tag.id]]),
  )
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await many({ action: 'snooze', until })
  expect((await now()).map(one => one.snoozedUntil)).toEqual(ids.map(() => until))
  await many({ action: 'tag', tagIds: [tag.id], remove: true })
  // pending ones are resolved by who may resolve many
  const without = await many({ action: 'resolve' }, marina)
  expect(without.refused.map(({ error }) => error)).toEqual([
    ...ids.map(() => 'ERR_NO_PERMISSION'),
    'ERR_NO_TICKET_FOUND',
  ])
  await many({ action: 'resolve' })
  expect((await now()).map(one => [one.status, one.tags])).toEqual(ids.map(() => ['closed', []]))
})

test('a call for many tickets names what is wrong with it, and changes nothing then', async () => {
  const { id } = await waiting()
  const wrong = async (body: BulkInput) => {
    const { status, body: answer } = await admin.call(bulk.change, { body })
    return [status, answer.error, answer.field]
  }
  expect(await wrong({ ids: [id], action: 'assign', userId: 2_000_000_000 })).toEqual([
    404,
    'ERR_NO_USER_FOUND',
    'userId',
  ])
  expect(await wrong({ ids: [id], action: 'tag', tagIds: [2_000_000_000] })).toEqual([
    404,
    'ERR_NO_TAG_FOUND',
    'tagIds',
  ])
  const until = '2020-01-01T00:00:00Z'
  expect(await wrong({ ids: [id], action: 'snooze', until })).toEqual([400, 'ERR_BAD_REQUEST', 'until'])
  expect(await wrong({ ids: [], action: 'resolve' })).toEqual([400, 'ERR_BAD_REQUEST', 'ids'])
  expect(await wrong({ ids: Array(501).fill(id), action: 'resolve' })).toEqual([
    400,
    'ERR_BAD_REQUEST',
    'ids',
  ])
})

test('a call for many says which tickets it changed, and which got which tag; what fails in its middle hides no outcome', async () => {
  const [first, second, third] = [await waiting(), await waiting(), await waiting()]
  const ids = [first.id, second.id, third.id]
  const newTag = () => admin.get(tags.create, { body: { name: `Cor ${newNumber()}`, color: '#123456' } })
  const [red, blue] = [await newTag(), await newTag()]
  const many = (body: BulkChange) => admin.get(bulk.change, { body: { ...body, ids } })
  await admin.get(tickets.addTag, { params: { ticketId: first.id, tagId: String(red.id) } })
  expect(await many({ action: 'tag', tagIds: [red.id, blue.id] })).toEqual({
    ...{ done: ids, changed: ids, refused: [] },
    added: [
      { tagId: red.id, ids: [second.id, third.id] },
      { tagId: blue.id, ids },
    ],
  })
  expect(await many({ action: 'tag', tagIds: [red.id] })).toEqual({ done: ids, changed: [], refused: [] })

  await change(admin, first.id, { status: 'closed' })
  await app.database.script(`
    create function fail_one() returns trigger language plpgsql as $$ begin raise exception 'a full disk'; end $$;
    create trigger fail_one before update on tickets for each row when (new.id = ${third.id}) execute function fail_one();`)
  expect(await many({ action: 'resolve' })).toEqual({
    ...{ done: [first.id, second.id], changed: [second.id] },
    refused: [{ id: third.id, error: 'ERR_INTERNAL' }],
  })
  await app.database.script('drop trigger fail_one on tickets; drop function fail_one')
})
