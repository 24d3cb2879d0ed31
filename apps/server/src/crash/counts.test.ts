import { queues } from '@balcao/contract/queues.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../testing/test-app.ts'
import { returnToQueue } from '../features/tickets/moves/moves.actions.ts'
import { rowsFrom, sql } from '../platform/postgres/sql.ts'

const PEOPLE = 12
const ROUNDS = 8

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app?.close())

const rows = (statement: string) =>
  app.database.transaction('', tx => rowsFrom<Record<string, unknown>>(tx, sql.raw(statement)))
const deadlocks = async () =>
  Number(
    (await rows('select deadlocks from pg_stat_database where datname = current_database()'))[0]!.deadlocks,
  )

async function newTicket() {
  const number = newNumber()
  await admin.get(simulator.write, {
    params: { whatsappId: admin.user.whatsappId! },
    body: { number, name: 'Ana', body: 'oi' },
  })
  const found = await until(async () => {
    const page = await admin.get(tickets.list, { query: { searchParam: number, showAll: true } })
    return page.tickets.find(one => one.contact.number === number)
  })
  return found.id
}

const count = async (status: 'open' | 'pending') =>
  (await admin.get(tickets.list, { query: { status, showAll: true } })).count

test('who moves a ticket does not wait for another who moves one between the same places at this moment', async () => {
  const [queue] = await admin.get(queues.list)
  const [first, second, third] = await Promise.all([newTicket(), newTicket(), newTicket()])
  const open = (ticketId: number) =>
    admin.call(tickets.change, { params: { ticketId }, body: { status: 'open', queueId: queue!.id } })
  expect((await open(first)).status).toBe(200)
  expect((await open(third)).status).toBe(200)
  const before = { open: await count('open'), pending: await count('pending') }
  await app.platform.scopes.inCompany(admin.user.companyId).transaction(async tx => {
    await returnToQueue(tx, first)
    expect((await open(second)).status).toBe(200)
    await returnToQueue(tx, third)
    expect(await count('open')).toBe(before.open + 1)
  })
  expect(await count('open')).toBe(before.open - 1)
  expect(await count('pending')).toBe(before.pending + 1)
})

async function countsAreRight() {
  expect(
    await rows(`select status, queue_id, user_id, sum(tickets)::int as many from ticket_counts
      group by company_id, 1, 2, 3 having sum(tickets) <> 0 order by company_id, 1, 2, 3`),
  ).toEqual(
    await rows(`select status, coalesce(queue_id, 0) as queue_id, coalesce(user_id, 0) as user_id, count(*)::int as many
      from tickets group by company_id, 1, 2, 3 order by company_id, 1, 2, 3`),
  )
}

test('thousands that come, move and go in one statement are counted once a place', async () => {
  const id = await newTicket()
  await rows(`insert into tickets (company_id, uuid, status, protocol, contact_id, queue_id)
      select company_id, gen_random_uuid(), 'closed', 'M' || n, contact_id, ${admin.user.queues[0]!.id}
      from tickets, generate_series(1, 5000) n where id = ${id}`)
  await countsAreRight()
  const parts = async () => (await rows('select count(*)::int as many from ticket_counts'))[0]!.many
  const before = await parts()
  await rows(`update tickets set queue_id = null where protocol like 'M%'`)
  await countsAreRight()
  expect(await parts()).toBeLessThanOrEqual(Number(before) + 1)
  await rows(`delete from tickets where protocol like 'M%'`)
  await countsAreRight()
})

test('moves that cross never wait for each other: nobody is refused, no deadlock, and the counts equal a recount', async () => {
  const [queue] = await admin.get(queues.list)
  const ids = await Promise.all(Array.from({ length: PEOPLE }, newTicket))
  const change = (ticketId: number, isOpening: boolean) =>
    admin.call(tickets.change, {
      params: { ticketId },
      body: isOpening ? { status: 'open', queueId: queue!.id } : { status: 'pending' },
    })
  const before = await deadlocks()
  const answers = []
  for (let round = 0; round < ROUNDS; round++)
    answers.push(...(await Promise.all(ids.map((id, at) => change(id, (at + round) % 2 === 0)))))
  expect(answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body])).toEqual([])
  expect((await deadlocks()) - before).toBe(0)
  await countsAreRight()
  const list = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
  const [{ many } = { many: 0 }] = await rows(`select count(*)::int as many from tickets
      where company_id = ${admin.user.companyId} and status = 'pending'`)
  expect(list.count).toBe(many)
})
