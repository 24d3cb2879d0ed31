import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { sql as tag } from '../../platform/postgres/sql.ts'
import { viewerOfUser } from '../auth/auth.queries.ts'
import { send as sendAs } from './outbox/outbox.actions.ts'

let app: TestApp
let admin: Person
let caio: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

const send = (person: Person, ticketId: number, body: object) =>
  person.call(messages.send, { params: { ticketId, companyId: person.user.companyId }, body })
const ticketsOf = (many: number) => Promise.all(Array.from({ length: many }, () => rows.ticket()))
const shown = async (ticketId: number) =>
  (await admin.get(messages.list, { params: { ticketId } })).messages.map(({ body, user }) => [
    body,
    user?.name,
  ])
test('messages that users of a company send at once are each its author’s, in their order, and one that is refused spoils none', async () => {
  const places = await ticketsOf(6)
  const closed = await rows.ticket()
  await admin.get(tickets.change, { params: { ticketId: closed }, body: { status: 'closed' } })
  const writers = places.map((ticketId, at) => ({ ticketId, person: at % 2 ? caio : admin }))
  for (const { ticketId, person } of writers.filter(({ person }) => person === caio))
    await admin.get(tickets.change, {
      params: { ticketId },
      body: { transf: true, queueId: person.user.queues[0]!.id, userId: person.user.id },
    })
  const sent = await Promise.all([
    ...writers.flatMap(({ ticketId, person }) => [
      send(person, ticketId, { body: 'um' }),
      send(person, ticketId, { body: 'dois' }),
    ]),
    send(admin, closed, { body: 'tarde' }),
    send(caio, 999_999, { body: 'de ninguém' }),
  ])
  expect(sent.map(({ status }) => status)).toEqual([...writers.flatMap(() => [200, 200]), 409, 404])
  for (const { ticketId, person } of writers)
    expect((await shown(ticketId)).slice(-2)).toEqual([
      [expect.stringMatching(/um$/), person.user.name],
      [expect.stringMatching(/dois$/), person.user.name],
    ])
})

test('what is sent to a conversation that is locked waits alone', async () => {
  const [locked, ...free] = await ticketsOf(4)
  const release = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const holding = app.platform.scopes.platform().transaction(async sql => {
    await sql.execute(tag`select from tickets where id = ${locked} for update`)
    isLocked.resolve()
    await release.promise
  })
  await isLocked.promise
  let isAnswered = false
  const waiting = send(admin, locked!, { body: 'espera' }).finally(() => {
    isAnswered = true
  })
  const answered = await Promise.all(free.map(ticketId => send(admin, ticketId, { body: 'já' })))
  expect(answered.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await send(admin, free[0]!, { body: 'depois' })).status).toBe(200)
  expect(isAnswered).toBe(false)
  release.resolve()
  await holding
  expect((await waiting).status).toBe(200)
})

test('what a visitor sends beside users shares no commit with them: it is not stored', async () => {
  const [own, seen] = await ticketsOf(2)
  const { scopes } = app.platform
  const { companyId } = admin.user
  const viewer = (await scopes
    .inCompany(companyId)
    .read(tx => viewerOfUser(tx.sql, companyId, admin.user.id)))!
  const visitor = { ...viewer, visitId: crypto.randomUUID() }
  const before = await shown(seen!)
  const sent = await Promise.allSettled([
    sendAs(scopes.inCompany(companyId, viewer), own!, { body: 'minha' }),
    sendAs(scopes.inCompany(companyId, visitor), seen!, { body: 'da visita' }),
  ])
  expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await shown(seen!)).toEqual(before)
})
