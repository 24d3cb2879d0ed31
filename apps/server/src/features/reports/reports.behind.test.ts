import { businessHours } from '@balcao/contract/businessHours.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { reports } from '@balcao/contract/reports.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { keepAllDays } from './reports.jobs.ts'

let app: TestApp
let helena: Person
let marina: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, helena)
})
afterAll(() => app.close())

const change = (who: Person, ticketId: number, body: object) =>
  who.get(tickets.change, { params: { ticketId }, body })
const report = async (who = helena, query: object = {}) => (await who.get(reports.dash, { query })).reportData
const userIn = async (id: number) => (await report()).dataUsers.find(user => user.id === id)
async function waiting() {
  const ticketId = await rows.ticket()
  return change(helena, ticketId, { transf: true, queueId: marina.user.queues[0]!.id, userId: null })
}
const shift = (ticketId: number, hours: number) =>
  app.database.script(`update ticket_history set at = at - interval '${hours} hours' where ticket_id = ${ticketId};
    update tickets set created_at = created_at - interval '${hours} hours' where id = ${ticketId}`)

test('who gave a ticket away keeps his part of it, and who closed it has the rest [OP-116 … OP-117, DASH-001 … DASH-010, REPORT-001 … REPORT-009]', async () => {
  const { id } = await waiting()
  await change(marina, id, { status: 'open' })
  await shift(id, 1)
  const [before, hers] = [await userIn(marina.user.id), await userIn(helena.user.id)]
  await change(marina, id, { transf: true, userId: helena.user.id, queueId: marina.user.queues[0]!.id })
  await app.database.script(`update ticket_history set at = at - interval '20 minutes'
    where ticket_id = ${id} and what = 'transferred' and to_user_id = ${helena.user.id}`)
  await change(helena, id, { status: 'closed' })
  const [after, closer] = [await userIn(marina.user.id), await userIn(helena.user.id)]
  const grown = (now = after, was = before) => [
    now!.own.served - (was?.own.served ?? 0),
    Math.round((now!.own.serveSeconds - (was?.own.serveSeconds ?? 0)) / 60),
    now!.countClosed - (was?.countClosed ?? 0),
  ]
  expect(grown()).toEqual([1, 40, 0])
  expect(grown(closer, hers)).toEqual([1, 20, 1])
})

test('a wait belongs to who ended it by accepting, also the second one after a return to the queue', async () => {
  const waits = async () => {
    const { dataUsers, figures } = await report()
    const of = (id: number) => dataUsers.find(user => user.id === id)?.own
    return [of(marina.user.id), of(helena.user.id), figures].map(all => [
      all?.waited ?? 0,
      Math.round((all?.waitSeconds ?? 0) / 60),
    ])
  }
  const before = await waits()
  const { id } = await waiting()
  await shift(id, 1)
  await change(marina, id, { status: 'open' })
  await shift(id, 1)
  await change(marina, id, { status: 'pending' })
  await app.database.script(`update ticket_history set at = at - interval '20 minutes'
    where ticket_id = ${id} and what = 'returned'`)
  await change(helena, id, { status: 'open' })
  await change(helena, id, { status: 'closed' })
  const after = await waits()
  const grown = after.map(([waited, minutes], at) => [waited! - before[at]![0]!, minutes! - before[at]![1]!])
  expect(grown).toEqual([
    [1, 60],
    [1, 20],
    [1, 80],
  ])
})

test('the time to the first answer ends with the first word of a person, and is measured against the hours of the company', async () => {
  const always = [0, 1, 2, 3, 4, 5, 6].map(weekday => ({ weekday, opens: 0, closes: 1_440 }))
  await helena.get(businessHours.change, { body: { hours: always, holidays: [] } })
  const before = (await report()).figures
  const { id } = await waiting()
  await shift(id, 2)
  await change(marina, id, { status: 'open' })
  await marina.get(messages.send, {
    params: { ticketId: id, companyId: marina.user.companyId },
    body: { body: 'Boa tarde! Em que posso ajudar?' },
  })
  await change(marina, id, { status: 'closed' })
  const after = (await report()).figures
  expect(after.answered).toBe(before.answered + 1)
  const seconds = after.answerSeconds - before.answerSeconds
  expect(seconds).toBeGreaterThanOrEqual(7_200)
  expect(seconds).toBeLessThan(7_300)
  expect(after.answerOpenSeconds - before.answerOpenSeconds).toBe(seconds)
  expect([after.timed - before.timed, after.outside - before.outside]).toEqual([1, 0])
})

test('behind a figure stand its closings, newest first, and those of another company are not there [OP-116 … OP-117, DASH-001 … DASH-010, REPORT-001 … REPORT-009]', async () => {
  const { id } = await waiting()
  await change(marina, id, { status: 'open' })
  await change(marina, id, { status: 'closed' })
  const behind = (who: Person, query: object) => who.get(reports.services, { query })
  const [first] = (await behind(helena, { userId: marina.user.id })).services
  expect(first).toMatchObject({ ticketId: id, user: marina.user.name, queue: marina.user.queues[0]!.name })
  const data = await report()
  let found = 0
  for (let pageNumber = 1; ; pageNumber++) {
    const page = await behind(helena, { queueId: marina.user.queues[0]!.id, pageNumber })
    found += page.services.length
    if (!page.hasMore) break
  }
  const ofQueue = data.dataQueuesWitchPercent.find(queue => queue.id === marina.user.queues[0]!.id)!
  expect(found).toBe(ofQueue.countClosed)
  expect((await behind(stranger, {})).services).toEqual([])
  expect((await behind(helena, { tagId: 2_000_000_000 })).services).toEqual([])
  expect((await marina.call(reports.services)).status).toBe(403)
  const wrong = await helena.call(reports.services, { query: { userId: -1 } })
  expect([wrong.status, wrong.body.field]).toEqual([400, 'userId'])
})

test('a report is saved as CSV and as a spreadsheet, and no name in it is reckoned as a formula [OP-116 … OP-117, DASH-001 … DASH-010, REPORT-001 … REPORT-009]', async () => {
  const contact = await helena.get(contacts.create, {
    body: { name: '=HYPERLINK("http://mau.test")', number: '5511955554444', email: '' },
  })
  const ticket = await helena.get(tickets.open, { body: { contactId: contact.id, queueId: null } })
  await change(helena, ticket.id, { status: 'closed' })
  const fetched = async (
    query: { what: 'figures' | 'services'; format: 'csv' | 'xlsx'; language?: 'en' },
    who = helena,
  ) => {
    const { url } = await who.get(reports.export, { query })
    const answer = await fetch(app.url + url, { headers: { authorization: `Bearer ${who.token}` } })
    expect(answer.status).toBe(200)
    return { url, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const csv = (await fetched({ what: 'services', format: 'csv' })).bytes.toString()
  expect(csv).toContain('\ufeffProtocolo;Contato;Usuário;Fila;Conexão')
  expect(csv).toContain(`"'=HYPERLINK(""http://mau.test"")"`)
  expect(csv.trim().split('\r\n')).toHaveLength(1 + (await report()).countClosed)
  const told = (await fetched({ what: 'figures', format: 'csv', language: 'en' })).bytes.toString()
  expect(told).toMatch(/^\ufeffSection;Name;Closed;/)
  expect(told).toContain(`General;Period;${(await report()).countClosed};`)
  const sheet = await fetched({ what: 'figures', format: 'xlsx' })
  expect(sheet.bytes.subarray(0, 2).toString()).toBe('PK')
  expect(
    (await fetch(app.url + sheet.url, { headers: { authorization: `Bearer ${stranger.token}` } })).status,
  ).toBe(404)
})

test('days that are kept are added up again when something old goes, or gets another tag', async () => {
  const old = `update ticket_services set closed_at = now() - interval '9 days' where company_id = ${helena.user.companyId}`
  await app.database.script(old)
  await keepAllDays(app.platform.scopes, 1)
  const kept = async () =>
    app.platform.scopes.platform().transaction(async sql => {
      const [row] = await rowsFrom<{ kept: number }>(
        sql,
        tag`select count(*)::int as kept from report_days_kept where zone is not null`,
      )
      return row!.kept
    })
  expect(await kept()).toBe(1)
  const query = { initialDate: new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10) }
  const before = await report(helena, query)
  const [service] = (await helena.get(reports.services, { query })).services
  await helena.get(tickets.remove, { params: { ticketId: service!.ticketId } })
  expect(await kept()).toBe(0)
  expect((await report(helena, query)).countClosed).toBe(before.countClosed - 1)
  await keepAllDays(app.platform.scopes, 1)
  expect((await report(helena, query)).countClosed).toBe(before.countClosed - 1)
})

test('what a bot led is told apart from waiting: from its first turn until it is silent', async () => {
  const { id: ticketId } = await waiting()
  const state = (mode: string) => JSON.stringify({ mode })
  await app.database.script(`insert into bot_setups (company_id, id, name, typing_time, reopen_bot_after_hours,
      count_errors_bot, type_menu, message_on_errors_bot, action_without_queue, time_without_queue,
      message_on_without_queue, bot_type)
    values (${helena.user.companyId}, 1, 'Lua', '0', 0, 3, 'text', '', 'none', 10, '', 'menu');
    insert into bot_sessions (company_id, ticket_id, bot_setup_id, state)
    values (${helena.user.companyId}, ${ticketId}, 1, '${state('menu')}');
    update bot_spells set began_at = now() - interval '30 minutes' where ticket_id = ${ticketId};
    update bot_sessions set state = '${state('question')}' where ticket_id = ${ticketId}`)
  await shift(ticketId, 1)
  const before = (await report()).figures
  await app.database.script(
    `update bot_sessions set state = '${state('over')}' where ticket_id = ${ticketId}`,
  )
  await change(helena, ticketId, { status: 'open' })
  await change(helena, ticketId, { status: 'closed' })
  const after = (await report()).figures
  expect(after.botted - before.botted).toBe(1)
  expect(Math.round((after.botSeconds - before.botSeconds) / 60)).toBe(30)
})
