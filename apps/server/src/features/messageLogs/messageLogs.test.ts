import { contacts } from '@balcao/contract/contacts.ts'
import { messageLogChannel, messageLogs } from '@balcao/contract/messageLogs.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'
import { forgetOld } from './messageLogs.jobs.ts'

let app: TestApp
let admin: Person
let master: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  master = await app.as('master@balcao.test')
})
afterAll(() => app.close())

const find = async (searchParam: string, more: object = {}) =>
  (await master.get(messageLogs.list, { query: { searchParam, ...more } })).messagesBruteLogs
const run = (statement: ReturnType<typeof sql>) => app.database.transaction('', tx => tx.execute(statement))

async function wrote(body: string) {
  const params = { whatsappId: admin.user.whatsappId! }
  const number = newNumber()
  const { id } = await admin.get(simulator.write, { params, body: { number, name: 'Ana', body } })
  const [log] = await until(async () => {
    const found = await find(id)
    return found.length > 0 && found
  })
  return { number, messageId: id, log: log! }
}

test('what comes in is told to masters only while one of them looks at the log', async () => {
  const pushes = await master.subscribe(messageLogChannel)
  const number = newNumber()
  const write = (body: string) =>
    admin.get(simulator.write, {
      params: { whatsappId: admin.user.whatsappId! },
      body: { number, name: 'Ana', body },
    })
  const isLogged = (body: string) =>
    app.database.transaction('', async tx => {
      const said = sql`select from inbound_events where position(${body} in heard) > 0`
      return (await rowsFrom(tx, said)).length > 0
    })
  await write('ninguém olha')
  await until(() => isLogged('ninguém olha'))
  await master.get(messageLogs.list, { query: {} })
  await write('alguém olha')
  await until(() => pushes.some(one => one.action === 'create'))
  expect(pushes).toMatchObject([{ action: 'create', messagesBruteLog: { details0: 'alguém olha' } }])
})

test('what was heard is in the log of the platform, in the words of the documents [LOG-010, ENTITY-041]', async () => {
  const { number, messageId, log } = await wrote('um pedido')
  expect((await find('UM PÉDIDO')).map(({ id }) => id)).toContain(log.id)
  expect(log).toMatchObject({
    remoteJid: `${number}@s.whatsapp.net`,
    messageId,
    fromMe: false,
    type: 'message',
    companyId: admin.user.companyId,
    whatsappId: admin.user.whatsappId,
    details0: 'um pedido',
  })
  expect(log.ticketId).toBeGreaterThan(0)
  expect(log.details1).toMatch(/^\d+$/)
  expect(JSON.parse(log.JsonValue)).toMatchObject({ body: 'um pedido' })
})

test('what a contact wrote goes from the log with him; what others wrote stays', async () => {
  const { log, number } = await wrote('segredo de Ana')
  const { log: other } = await wrote('de outra pessoa')
  const { contactId } = await admin.get(tickets.show, { params: { ticketId: log.ticketId! } })
  await admin.get(contacts.remove, { params: { contactId } })
  await until(async () => (await find('segredo de Ana')).length === 0)
  expect(await find(number)).toEqual([])
  expect((await find(other.messageId)).map(({ id }) => id)).toEqual([other.id])
})

test('masters alone hear of it as it comes [LOG-001, LOG-009, EVENT-018]', async () => {
  const pushes = await master.subscribe(messageLogChannel)
  const strange = await admin.subscribe(messageLogChannel)
  const { log } = await wrote('ao vivo')
  const push = await until(() =>
    pushes.find(one => one.action === 'create' && one.messagesBruteLog.id === log.id),
  )
  expect(push).toEqual({ action: 'create', messagesBruteLog: log })
  expect(strange).toEqual([])
})

test('handling it again doubles nothing, one by one and all of the last day [LOG-006, API-031, EVENT-018, OP-114]', async () => {
  const { number, log } = await wrote('uma vez só')
  const ticketId = log.ticketId!
  const count = async () => (await admin.get(messages.list, { params: { ticketId } })).messages.length
  const before = await count()
  expect(await master.get(messageLogs.reprocess, { params: { logId: log.id } })).toMatchObject({ ticketId })
  const pushes = await master.subscribe(messageLogChannel)
  await master.get(systemControl.act, { body: { action: 'reprocessRecentMessages' } })
  await until(() => pushes.some(one => one.action === 'update' && one.messagesBruteLog.id === log.id), 20_000)
  expect(await count()).toBe(before)
  const { tickets: found } = await admin.get(tickets.list, { query: { searchParam: number, showAll: true } })
  expect(found.filter(one => one.contact.number === number)).toHaveLength(1)
})

test('what was lost after it was heard comes back [LOG-005]', async () => {
  const { log, messageId } = await wrote('perdida')
  await run(sql`delete from messages where external_id = ${messageId}`)
  await master.get(messageLogs.reprocess, { params: { logId: log.id } })
  const { messages: shown } = await admin.get(messages.list, { params: { ticketId: log.ticketId! } })
  expect(shown.map(one => one.body)).toContain('perdida')
})

test('a picture that was given up is fetched again when its news is', async () => {
  const { log, number } = await wrote('com foto')
  const inbound = JSON.stringify({
    kind: 'profile',
    chat: { kind: 'phone', value: number },
    name: 'Ana',
    picture: { name: 'foto', type: 'image/jpeg', source: 'unreadable' },
  })
  await run(
    sql`update inbound_events set heard = ${inbound}, handled_at = null, due_at = null, attempts = 3 where id = ${log.id}`,
  )
  await master.get(messageLogs.reprocess, { params: { logId: log.id } })
  const row = () =>
    app.database.transaction('', async tx => {
      const rows = sql`select attempts, failure from inbound_events where id = ${log.id}`
      return (await rowsFrom<{ attempts: number; failure: string }>(tx, rows))[0]!
    })
  // its connection looked: this one never comes
  expect(await until(async () => (await row()).failure !== '' && (await row()), 8_000)).toMatchObject({
    attempts: 1,
  })
})

test('a ticket that was removed is not brought back with all the others', async () => {
  const { log, number } = await wrote('removida')
  const after = await wrote('depois')
  await admin.get(tickets.remove, { params: { ticketId: log.ticketId! } })
  const pushes = await master.subscribe(messageLogChannel)
  await master.get(systemControl.act, { body: { action: 'reprocessRecentMessages' } })
  await until(
    () => pushes.some(one => one.action === 'update' && one.messagesBruteLog.id === after.log.id),
    20_000,
  )
  const { tickets: found } = await admin.get(tickets.list, { query: { searchParam: number, showAll: true } })
  expect(found.filter(one => one.contact.number === number)).toEqual([])
})

test('what failed is a warning with a negative ticket, and is found by it', async () => {
  const { log } = await wrote('quebrada')
  await run(
    sql`update inbound_events set heard = replace(heard, '"kind":"message"', '"kind":"edit"') where id = ${log.id}`,
  )
  const again = await master.get(messageLogs.reprocess, { params: { logId: log.id } })
  expect(again.ticketId).toBe(-log.ticketId!)
  expect((await find('quebrada', { searchParamWitchError: 'warning' })).map(one => one.id)).toEqual([log.id])
  expect(await find('quebrada', { searchParamWitchError: 'unknown' })).toEqual([])
})

test('pages hold twenty, newest first, and the log can be emptied [LOG-003, API-031, EVENT-018]', async () => {
  for (let at = 0; at < 21; at++) await wrote(`página ${at}`)
  const page = (pageNumber: number) =>
    master.get(messageLogs.list, { query: { searchParam: 'página', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.messagesBruteLogs.length, first.hasMore, second.hasMore]).toEqual([20, true, false])
  const ids = [...first.messagesBruteLogs, ...second.messagesBruteLogs].map(one => one.id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  // more than one batch
  await run(
    sql.raw(`insert into inbound_events (company_id, whatsapp_id, key, chat, heard, handled_at)
      select ${admin.user.companyId}, ${admin.user.whatsappId}, 'many ' || n, 'x', '{}', now() from generate_series(1, 6000) n`),
  )
  const pushes = await master.subscribe(messageLogChannel)
  expect((await master.get(messageLogs.removeAll)).deleted).toBeGreaterThan(6_020)
  await until(() => pushes.some(one => one.action === 'delete' && one.messagesBruteLogId === null))
  expect(await find('página')).toEqual([])
})

test('after a month the log goes by itself, after three what failed; what waits to be handled stays', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => rowsOf(app, admin).rawLog()))
  const [young, old, failed, ancient, waiting] = made
  const age = (id: number | undefined, days: number, more = 'handled_at = now()') =>
    run(
      sql.raw(
        `update inbound_events set heard_at = now() - interval '${days} days', ${more} where id = ${id}`,
      ),
    )
  await age(young, 29)
  await age(old, 31)
  await age(failed, 89, `handled_at = now(), failure = 'x'`)
  await age(ancient, 91, `handled_at = now(), failure = 'x'`)
  await age(waiting, 400, 'handled_at = null, attempts = 8')
  await forgetOld.run(app.platform.scopes, app.platform.config, app.platform)
  const rows = await app.platform.scopes
    .platform()
    .transaction(tx =>
      rowsFrom<{ id: number }>(
        tx,
        sql.raw(`select id::int from inbound_events where id in (${made}) order by id`),
      ),
    )
  expect(rows.map(({ id }) => id).sort()).toEqual([young, failed, waiting].sort())
})
