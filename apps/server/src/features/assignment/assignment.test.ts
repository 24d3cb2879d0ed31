import { type AssignmentInput, assignment, assignmentChannel } from '@balcao/contract/assignment.ts'
import { availability } from '@balcao/contract/availability.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newNumber, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { features } from '../../features.ts'
import { itemsOf } from '../../platform/features.ts'
import { exists, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let [admin, marina, caio, stranger]: Person[] = []
let queueId: number
beforeAll(async () => {
  app = await openTestApp()
  const emails = ['admin@balcao.test', 'atendente@balcao.test', 'caio@balcao.test', 'admin@outra.test']
  ;[admin, marina, caio, stranger] = await Promise.all(emails.map(email => app.as(email)))
})
afterAll(() => app.close())

const set = (who: Person, state: 'available' | 'pause' | 'away') =>
  who.get(availability.set, { body: { state } })
beforeEach(async () => {
  queueId = await rowsOf(app, admin!).queue()
  for (const who of [marina!, caio!]) {
    const queueIds = [...who.user.queueIds, queueId]
    await admin!.get(users.change, { params: { userId: who.user.id }, body: { queueIds } })
    await set(who, 'available')
  }
})

const rule = (body: Partial<AssignmentInput>, who = admin!) =>
  who.call(assignment.change, { params: { queueId }, body })
const shown = () => admin!.get(assignment.show, { params: { queueId } })
/** A customer who waits in the queue. */
async function arrives(more: { ownerId?: number } = {}) {
  const number = newNumber()
  await admin!.get(simulator.write, {
    params: { whatsappId: admin!.user.whatsappId! },
    body: { number, name: 'Rita', body: 'Oi' },
  })
  const { id, contactId } = await until(async () =>
    (await admin!.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
      one => one.contact.number === number,
    ),
  )
  if (more.ownerId)
    await admin!.get(contacts.change, { params: { contactId }, body: { ownerId: more.ownerId } })
  await move(id, { transf: true, queueId })
  return id
}
const move = (ticketId: number, body: object, who = admin!) =>
  who.get(tickets.change, { params: { ticketId }, body })
const show = (ticketId: number) => admin!.get(tickets.show, { params: { ticketId } })
const given = (ticketId: number) =>
  until(async () => {
    const ticket = await show(ticketId)
    return ticket.status === 'open' && ticket.userId
  })
const rowsIn = (statement: string) =>
  app.platform.scopes
    .platform()
    .transaction(sql => rowsFrom<Record<string, unknown>>(sql, tag.raw(statement)))
const wakesOf = async (id: number) =>
  (await rowsIn(`select from assignment_wakes where queue_id = ${id}`)).length

test('a queue gives nothing until it is told to; only its company sees and administrators change how', async () => {
  expect(await shown()).toMatchObject({ queueId, mode: 'manual', capacity: null, waitingReason: null })
  expect((await rule({ mode: 'rotation' }, marina!)).status).toBe(403)
  expect((await rule({ mode: 'rotation' }, stranger!)).status).toBe(404)
  expect((await stranger!.call(assignment.show, { params: { queueId } })).status).toBe(404)
  const tooMany = await rule({ capacity: 0 })
  expect([tooMany.status, tooMany.body.error]).toEqual([400, 'ERR_BAD_REQUEST'])
  const wanted = {
    mode: 'least',
    capacity: 3,
    stickyDays: 30,
    ownerFirst: true,
    returnAfterMinutes: 5,
  } as const
  expect((await rule(wanted)).body).toMatchObject(wanted)
  expect((await rule({ capacity: null, stickyDays: null, returnAfterMinutes: null })).body).toMatchObject({
    ...wanted,
    ...{ capacity: null, stickyDays: null, returnAfterMinutes: null },
  })
})

test('tickets go round among who is available; the history says that nobody chose, and it stays unread', async () => {
  await rule({ mode: 'rotation' })
  const ids = [await arrives(), await arrives()]
  const owners = [await given(ids[0]!), await given(ids[1]!)]
  expect(owners.toSorted()).toEqual([marina!.user.id, caio!.user.id].toSorted())
  const { events } = await admin!.get(tickets.story, { params: { ticketId: ids[0]! } })
  expect(events.at(-1)).toMatchObject({ what: 'assigned', by: null, user: { id: owners[0] } })
  expect((await show(ids[0]!)).unreadMessages).toBe(1)
  await set(marina!, 'pause')
  const next = [await arrives(), await arrives()]
  expect([await given(next[0]!), await given(next[1]!)]).toEqual([caio!.user.id, caio!.user.id])
})

test('the owner of the contact gets it while available; who is full waits, and a closed ticket frees a place', async () => {
  await rule({ mode: 'least', ownerFirst: true })
  expect(await given(await arrives({ ownerId: caio!.user.id }))).toBe(caio!.user.id)
  expect(await given(await arrives({ ownerId: marina!.user.id }))).toBe(marina!.user.id)
  await set(marina!, 'away')
  expect(await given(await arrives({ ownerId: marina!.user.id }))).toBe(caio!.user.id)
  const pushes = await stranger!.subscribe(assignmentChannel)
  const own = await marina!.subscribe(assignmentChannel)
  await rule({ capacity: 1 })
  const late = await arrives()
  await until(async () => (await shown()).waitingReason === 'allFull')
  await until(() => own.some(push => push.waitingReason === 'allFull'))
  expect((await marina!.get(assignment.list)).assignments).toContainEqual({
    queueId,
    mode: 'least',
    waitingReason: 'allFull',
  })
  expect(pushes).toEqual([])
  for (const ticket of (await admin!.get(tickets.list, { query: { status: 'open', showAll: true } })).tickets)
    if (ticket.userId === caio!.user.id) await move(ticket.id, { status: 'closed' }, caio!)
  expect(await given(late)).toBe(caio!.user.id)
  expect((await shown()).waitingReason).toBeNull()
})

test('with nobody available or outside the hours it waits and says why; who comes back gets it', async () => {
  await Promise.all([set(marina!, 'away'), set(caio!, 'pause')])
  await rule({ mode: 'rotation' })
  const id = await arrives()
  await until(async () => (await shown()).waitingReason === 'nobodyAvailable')
  const weekday = (new Date().getUTCDay() + 3) % 7
  await admin!.get(queues.change, {
    params: { queueId },
    body: { hours: [{ weekday, opens: 0, closes: 1 }] },
  })
  await rule({ onlyWithinHours: true })
  await until(async () => (await shown()).waitingReason === 'outsideHours')
  await set(caio!, 'available')
  await until(
    async () =>
      (await app.database.transaction('', sql => sql.execute('select from assignment_wakes'))) !== null,
  )
  expect((await show(id)).status).toBe('pending')
  await rule({ onlyWithinHours: false })
  expect(await given(id)).toBe(caio!.user.id)
})

test('absence is counted from its beginning, whatever the reasons of a pause are meanwhile', async () => {
  await rule({ mode: 'rotation', returnAfterMinutes: 5 })
  const id = await arrives()
  const first = await given(id)
  const [who, other] = first === marina!.user.id ? [marina!, caio!] : [caio!, marina!]
  const reason = await admin!.get(pauseReasons.create, { body: { name: `Café ${unique()}` } })
  await set(who, 'pause')
  await app.database.script(`update user_availability set since = now() - interval '6 minutes',
    absent_since = now() - interval '6 minutes' where user_id = ${who.user.id}`)
  await who.get(availability.set, { body: { state: 'pause', reasonId: reason.id } })
  await set(who, 'away')
  await app.database.script(`update queue_assignments set returns_at = now() where queue_id = ${queueId}`)
  await until(async () => (await show(id)).userId === other.user.id)
})

test('who attended a customer last gets the next ticket; what one does not answer while away goes to another, what was answered stays', async () => {
  await rule({ mode: 'rotation', stickyDays: 30, returnAfterMinutes: 1 })
  const id = await arrives()
  const first = await given(id)
  const [who, other] = first === marina!.user.id ? [marina!, caio!] : [caio!, marina!]
  await move(id, { status: 'closed' }, who)
  const { contactId, contact } = await show(id)
  await admin!.get(simulator.write, {
    params: { whatsappId: admin!.user.whatsappId! },
    body: { number: contact.number, name: 'Rita', body: 'Ainda não chegou o pedido 123' },
  })
  const again = await until(async () =>
    (await admin!.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.find(
      one => one.contactId === contactId,
    ),
  )
  await move(again.id, { transf: true, queueId })
  expect(await given(again.id)).toBe(first)
  const answered = await arrives({})
  await move(answered, { transf: true, queueId, userId: who.user.id })
  await who.get(messages.send, {
    params: { ticketId: answered, companyId: who.user.companyId },
    body: { body: 'Já vejo' },
  })
  await set(who, 'pause')
  await app.database.script(`update user_availability set absent_since = now() - interval '2 minutes' where user_id = ${who.user.id};
    update queue_assignments set returns_at = now() where queue_id = ${queueId}`)
  await until(async () => (await show(again.id)).userId === other.user.id)
  const { events } = await admin!.get(tickets.story, { params: { ticketId: again.id } })
  expect(events.filter(one => one.ticketId === again.id).map(({ what }) => what)).toEqual([
    'opened',
    'transferred',
    'assigned',
    'returned',
    'assigned',
  ])
  expect((await show(answered)).userId).toBe(who.user.id)
})

test('tickets that none of the present may take keep no other from being given, however many wait before it', async () => {
  await set(marina!, 'away')
  const { id: group } = await admin!.get(permissions.create, {
    body: { name: `Carteira ${unique()}`, onlyOwnContacts: true },
  })
  const before = caio!.user.userAuthorizationId!
  const limit = (userAuthorizationId: number) =>
    admin!.get(users.change, { params: { userId: caio!.user.id }, body: { userAuthorizationId } })
  await limit(group)
  const free = await arrives()
  const { companyId } = admin!.user
  await app.database.script(`
    with people as (insert into contacts (company_id, name, number, owner_id)
      select ${companyId}, 'C' || n, (551160000000 + ${queueId} * 100 + n)::text, ${marina!.user.id} from generate_series(1, 60) n returning id)
    insert into tickets (company_id, uuid, protocol, contact_id, queue_id, status, waiting_since)
      select ${companyId}, gen_random_uuid(), 'w' || id, id, ${queueId}, 'pending', now() - interval '1 hour' from people`)
  await rule({ mode: 'rotation' })
  expect(await given(free)).toBe(caio!.user.id)
  await until(async () => (await shown()).waitingReason === 'nobodyAvailable')
  await limit(before)
})

test('what a process wrote that did not know yet that a queue gives its tickets is given by the look that follows', async () => {
  await rule({ mode: 'rotation' })
  await until(async () => (await wakesOf(queueId)) === 0)
  const [row] = await rowsIn(
    `select look_at > now() as later from queue_assignments where queue_id = ${queueId}`,
  )
  expect(row).toEqual({ later: true })
  const id = await arrives()
  await given(id)
  // as that process leaves it: it waits, and no wake says so
  await app.database.script(`
    update tickets set status = 'pending', user_id = null, waiting_since = now() where id = ${id};
    update queue_assignments set look_at = now() where queue_id = ${queueId}`)
  await given(id)
})

test('what wakes the workers is a statement that the database understands, of every kind', async () => {
  const finds = itemsOf(features, 'due').flatMap(({ finds: all }) => all)
  for (const find of finds)
    await app.platform.scopes
      .platform()
      .list(sql => sql.select({ is: exists(find(sql, app.platform.config)) }).from(tag`(select 1) one`))
  expect(finds.length).toBeGreaterThan(10)
})
