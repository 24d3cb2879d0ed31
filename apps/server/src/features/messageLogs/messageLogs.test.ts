import { messageLogChannel, messageLogs } from '@balcao/contract/messageLogs.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, rowsOf } from '../../../testing/rows.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'
import { sql } from '../../platform/sql.ts'
import { chores } from './messageLogs.jobs.ts'

let world: World
let admin: Person
let master: Person
beforeAll(async () => {
  world = await openWorld()
  admin = await world.as('admin@balcao.test')
  master = await world.as('master@balcao.test')
})
afterAll(() => world.close())

const find = async (searchParam: string, more: object = {}) =>
  (await master.get(messageLogs.list, { query: { searchParam, ...more } })).messagesBruteLogs
const run = (statement: ReturnType<typeof sql>) => world.database.transaction('', tx => tx.execute(statement))

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

test('what was heard is in the log of the platform, in the words of the documents', async () => {
  const { number, messageId, log } = await wrote('um pedido')
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

test('masters alone hear of it as it comes', async () => {
  const heard = await master.hear(messageLogChannel)
  const strange = await admin.hear(messageLogChannel)
  const { log } = await wrote('ao vivo')
  const push = await until(() =>
    heard.find(one => one.action === 'create' && one.messagesBruteLog.id === log.id),
  )
  expect(push).toEqual({ action: 'create', messagesBruteLog: log })
  expect(strange).toEqual([])
})

test('handling it again doubles nothing, one by one and all of the last day', async () => {
  const { number, log } = await wrote('uma vez só')
  const ticketId = log.ticketId!
  const count = async () => (await admin.get(messages.list, { params: { ticketId } })).messages.length
  const before = await count()
  expect(await master.get(messageLogs.reprocess, { params: { logId: log.id } })).toMatchObject({ ticketId })
  const heard = await master.hear(messageLogChannel)
  await master.get(systemControl.act, { body: { action: 'reprocessRecentMessages' } })
  await until(() => heard.some(one => one.action === 'update' && one.messagesBruteLog.id === log.id), 20_000)
  expect(await count()).toBe(before)
  const { tickets: found } = await admin.get(tickets.list, { query: { searchParam: number, showAll: true } })
  expect(found.filter(one => one.contact.number === number)).toHaveLength(1)
})

test('what was lost after it was heard comes back', async () => {
  const { log, messageId } = await wrote('perdida')
  await run(sql`delete from messages where external_id = ${messageId}`)
  await master.get(messageLogs.reprocess, { params: { logId: log.id } })
  const { messages: shown } = await admin.get(messages.list, { params: { ticketId: log.ticketId! } })
  expect(shown.map(one => one.body)).toContain('perdida')
})

test('a ticket that was removed is not brought back with all the others', async () => {
  const { log, number } = await wrote('removida')
  const after = await wrote('depois')
  await admin.get(tickets.remove, { params: { ticketId: log.ticketId! } })
  const heard = await master.hear(messageLogChannel)
  await master.get(systemControl.act, { body: { action: 'reprocessRecentMessages' } })
  await until(
    () => heard.some(one => one.action === 'update' && one.messagesBruteLog.id === after.log.id),
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

test('pages hold twenty, newest first, and the log can be emptied', async () => {
  for (let at = 0; at < 21; at++) await wrote(`página ${at}`)
  const page = (pageNumber: number) =>
    master.get(messageLogs.list, { query: { searchParam: 'página', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.messagesBruteLogs.length, first.hasMore, second.hasMore]).toEqual([20, true, false])
  const ids = [...first.messagesBruteLogs, ...second.messagesBruteLogs].map(one => one.id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  const heard = await master.hear(messageLogChannel)
  expect((await master.get(messageLogs.removeAll)).deleted).toBeGreaterThan(20)
  await until(() => heard.some(one => one.action === 'delete' && one.messagesBruteLogId === null))
  expect(await find('página')).toEqual([])
})

test('after a month the log goes by itself, after three what failed; what waits to be handled stays', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => rowsOf(world, admin).rawLog()))
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
  for (const { name, run: clear } of chores)
    if (name === 'messageLogs.forgetOld')
      await clear(world.platform.scopes, world.platform.config, world.platform)
  const { rows } = (await run(
    sql.raw(`select id::int from inbound_events where id in (${made}) order by id`),
  )) as unknown as {
    rows: { id: number }[]
  }
  expect(rows.map(({ id }) => id).sort()).toEqual([young, failed, waiting].sort())
})
