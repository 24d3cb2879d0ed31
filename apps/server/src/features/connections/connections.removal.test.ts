import { connections } from '@balcao/contract/connections.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { reportSession } from './connections.session.actions.ts'

let app: TestApp
let admin: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const MANY = 120
const FIRST = 900_000

/** Tickets of a connection: all wait, and one more is closed. */
const fill = (whatsappId: number) =>
  app.database.script(`
    insert into contacts (company_id, id, name, number)
      select ${admin.user.companyId}, ${FIRST} + n, 'C' || n, (5511900000000 + n)::text from generate_series(0, ${MANY}) n;
    insert into tickets (company_id, id, uuid, protocol, contact_id, whatsapp_id, status)
      select ${admin.user.companyId}, ${FIRST} + n, gen_random_uuid(), 'p' || n, ${FIRST} + n, ${whatsappId},
        case n when 0 then 'closed' else 'pending' end from generate_series(0, ${MANY}) n`)

test('a connection with many tickets is removed in pieces: it is shown as being removed, and is gone when the last ticket moved', async () => {
  const { id: whatsappId } = await admin.get(connections.create, {
    body: { name: 'Cheia', lib: 'simulator' },
  })
  await fill(whatsappId)
  const params = { whatsappId }
  const list = () => admin.get(connections.list)
  const heir = (await list()).find(({ isDefault }) => isDefault)!
  const query = { heirId: heir.id }
  expect((await stranger.call(connections.remove, { params, query })).status).toBe(404)
  // another transaction holds a ticket of the second piece
  const lock = { isHeld: false, isWanted: true }
  const held = app.database.session(async sql => {
    await sql.execute(tag`begin`)
    await sql.execute(tag`select from tickets where id = ${FIRST + MANY} for update`)
    lock.isHeld = true
    // a transaction that is idle is ended
    while (lock.isWanted) await sql.execute(tag`select pg_sleep(0.05)`)
    await sql.execute(tag`commit`)
  })
  await until(() => lock.isHeld)
  const answer = admin.call(connections.remove, { params, query })
  const moved = tag`select count(*)::int as many from tickets where id between ${FIRST} and ${FIRST + MANY} and whatsapp_id = ${heir.id}`
  const many = async () =>
    (await app.database.transaction('', sql => rowsFrom<{ many: number }>(sql, moved)))[0]!.many
  await until(async () => (await many()) > 0)
  expect((await list()).find(({ id }) => id === whatsappId)).toMatchObject({
    status: 'REMOVING',
    session: '',
  })
  expect(await many()).toBeLessThan(MANY)
  lock.isWanted = false
  await held
  expect((await answer).status).toBe(200)
  await until(async () => !(await list()).some(({ id }) => id === whatsappId), 20_000)
  expect(await many()).toBe(MANY)
  expect(await admin.get(tickets.show, { params: { ticketId: FIRST } })).toMatchObject({ whatsappId: null })
  const { events } = await admin.get(tickets.story, { params: { ticketId: FIRST + MANY } })
  expect(events.at(-1)).toMatchObject({ what: 'moved', by: { id: admin.user.id } })
})

test('a connection that is being removed is not opened, renewed or changed, gets no tickets of another, and a late report of its session changes nothing', async () => {
  const { id: whatsappId } = await admin.get(connections.create, { body: { name: 'Vai', lib: 'simulator' } })
  const { id: other } = await admin.get(connections.create, { body: { name: 'Fica', lib: 'simulator' } })
  await app.database.script(`update whatsapps set status = 'REMOVING' where id = ${whatsappId}`)
  const params = { whatsappId }
  const refused = [
    await admin.call(connections.start, { params }),
    await admin.call(connections.renew, { params, body: {} }),
    await admin.call(connections.change, { params, body: { name: 'Outra' } }),
    await admin.call(connections.remove, { params: { whatsappId: other }, query: { heirId: whatsappId } }),
  ]
  expect(refused.map(({ body }) => (body as { error?: string }).error)).toEqual(
    refused.map(() => 'ERR_NO_WAPP_FOUND'),
  )
  await app.platform.scopes
    .inCompany(admin.user.companyId)
    .transaction(tx => reportSession(tx, app.platform.secrets, whatsappId, { status: 'CONNECTED' }))
  const shown = (await admin.get(connections.list)).find(({ id }) => id === whatsappId)
  expect(shown?.status).toBe('REMOVING')
})
