import { randomUUID } from 'node:crypto'
import { businessHours } from '@balcao/contract/businessHours.ts'
import { categories } from '@balcao/contract/categories.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { nextOccurrences } from '@balcao/contract/schedules.rules.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf } from '../../../testing/rows.ts'
import { photo } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { eq, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { dueSchedules } from './schedules.occurrences.queries.ts'
import { lockSchedule, momentsOf, placeInBatch } from './schedules.queries.ts'
import { newestDue, sendOccurrence } from './schedules.run.worker.ts'
import { scheduleOccurrences } from './schedules.table.ts'

let app: TestApp
let admin: Person
let caio: Person
let rows: Rows
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  rows = rowsOf(app, admin)
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const HOUR = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const shop = () => app.platform.scopes.inCompany(admin.user.companyId)

async function someone(name = 'Ana Souza') {
  const number = newNumber()
  const { id: contactId } = await admin.get(contacts.create, { body: { name, number } })
  return { number, contactId }
}
const plan = (who: Person, body: object) =>
  who.get(schedules.create, {
    params: { companyId: who.user.companyId },
    body: { body: 'Até amanhã', sendAt: inMs(HOUR), ...body },
  })
const show = (scheduleId: number) => admin.get(schedules.show, { params: { scheduleId } })
const receivedBy = async (number: string) =>
  (await admin.get(simulator.chat, { params: { whatsappId, number } })).filter(one => one.fromMe)
/** The clock comes so far: what was planned so much later is due since then. */
const pass = (scheduleId: number, ms: number) =>
  app.database.script(`update schedules set send_at = send_at - interval '${ms} milliseconds',
    next_at = next_at - interval '${ms} milliseconds',
    first_at = to_char((send_at - interval '${ms} milliseconds') at time zone 'America/Sao_Paulo', 'YYYY-MM-DD"T"HH24:MI')
    where id = ${scheduleId}`)
const sent = (scheduleId: number) =>
  until(async () => {
    const one = await show(scheduleId)
    return one.last?.state === 'sent' && one
  })
const failed = (scheduleId: number) =>
  until(async () => {
    const one = await show(scheduleId)
    return one.last?.state === 'failed' && one
  })
const occurrences = (scheduleId: number) =>
  shop().read(tx =>
    tx.sql
      .select({ state: scheduleOccurrences.state })
      .from(scheduleOccurrences)
      .where(eq(scheduleOccurrences.scheduleId, scheduleId))
      .orderBy(scheduleOccurrences.at),
  )

test('at its time it leaves once, over its connection, in the name of who made it, with its variables filled in (SCHED-028 … SCHED-030) [SCHED-028, SCHED-029, SCHED-030]', async () => {
  const { number, contactId } = await someone()
  const queueId = admin.user.queues[0]!.id
  const made = await plan(caio, {
    contactId,
    queueId,
    whatsappId,
    body: 'Oi {{cliente}}, é {{atendente}}. {{outra}}',
    sendAt: inMs(-1_000),
  })
  const done = await sent(made.id)
  expect(done).toMatchObject({ status: 'ENVIADA', planned: false, last: { late: false, reason: '' } })
  expect(done.sentAt).not.toBeNull()
  expect((await receivedBy(number)).map(one => one.body)).toEqual([
    `Oi Ana Souza, é ${caio.user.name}. {{outra}}`,
  ])
  const ticket = await admin.get(tickets.show, { params: { ticketId: done.last!.ticketId! } })
  expect(ticket).toMatchObject({ status: 'closed', queueId, whatsappId, contactId, lastMessageFromMe: true })
  expect(ticket.lastMessageBy).toEqual({
    source: 'schedule',
    user: { id: caio.user.id, name: caio.user.name },
  })
  await admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Certo' } })
  await until(async () => {
    const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
    return page.tickets.some(one => one.contact.number === number)
  })
})

test('what left is not planned again for the moment at which it left; emptied of its connection it has the usual one', async () => {
  const { number, contactId } = await someone()
  const sendAt = inMs(-1_000)
  const made = await plan(admin, { contactId, whatsappId: await rows.connection(), sendAt: inMs(HOUR) })
  const change = (fields: object) =>
    admin.call(schedules.change, {
      params: { scheduleId: made.id, companyId: admin.user.companyId },
      body: { body: 'Outro', typeMessage: 'Texto', typeSchedule: 'Único', contactId, ...fields },
    })
  expect((await change({ sendAt, whatsappId: '' })).body).toMatchObject({ whatsappId, status: 'PENDENTE' })
  await sent(made.id)
  const again = await change({ sendAt })
  expect(again).toMatchObject({ status: 400, body: { error: 'ERR_BAD_REQUEST', field: 'sendAt' } })
  expect((await show(made.id)).status).toBe('ENVIADA')
  expect(await receivedBy(number)).toHaveLength(1)
})

test('it stands in the conversation that goes on, and who waits for an answer still waits', async () => {
  const ticketId = await rows.ticket()
  const before = await admin.get(tickets.show, { params: { ticketId } })
  expect(before.waitingSince).not.toBeNull()
  const made = await plan(admin, { contactId: before.contactId, sendAt: inMs(-1_000) })
  expect((await sent(made.id)).last!.ticketId).toBe(ticketId)
  const after = await admin.get(tickets.show, { params: { ticketId } })
  expect([after.status, after.waitingSince, after.unreadMessages]).toEqual([
    before.status,
    before.waitingSince,
    before.unreadMessages,
  ])
  const { messages: said } = await admin.get(messages.list, { params: { ticketId } })
  expect(said.at(-1)).toMatchObject({ body: 'Até amanhã', source: 'schedule', fromMe: true })
})

test('a file leaves with its caption, and is there as long as one row names it', async () => {
  const { number, contactId } = await someone()
  const file = photo()
  const body = JSON.stringify({ contactId, typeMessage: 'Mídia', body: '', sendAt: inMs(HOUR) })
  const params = { companyId: admin.user.companyId }
  const later = await admin.get(schedules.create, { params, body: { body }, files: [file] })
  const copy = await plan(admin, {
    contactId,
    typeMessage: 'Mídia',
    mediaUrl: later.mediaUrl,
    body: 'Veja',
    sendAt: inMs(-1_000),
  })
  await sent(copy.id)
  expect(await receivedBy(number)).toMatchObject([{ body: 'Veja', mediaType: 'image' }])
  const status = async () => (await admin.fetch(later.mediaUrl!)).status
  await admin.get(schedules.remove, { params: { scheduleId: copy.id } })
  await admin.get(schedules.remove, { params: { scheduleId: later.id } })
  const { tickets: theirs } = await admin.get(tickets.list, {
    query: { showAll: true, searchContactId: contactId, tab: 'search' },
  })
  expect(await status()).toBe(200)
  for (const { id: ticketId } of theirs) await admin.get(tickets.remove, { params: { ticketId } })
  await until(async () => (await status()) === 404, 20_000)
})

test('a series goes on from its plan, counts its repeats down, and ends (SCHED-031, SCHED-032) [OP-88, SCHED-031, SCHED-032]', async () => {
  const { number, contactId } = await someone()
  const weekly = await plan(admin, {
    contactId,
    typeSchedule: 'Recorrente Semanal',
    repeatCounter: 1,
    sendAt: inMs(-1_000),
  })
  const first = await sent(weekly.id)
  expect(first).toMatchObject({ status: 'PENDENTE', planned: true, repeatCounter: 0, number: 1 })
  expect(Math.round((Date.parse(first.sendAt) - Date.parse(weekly.sendAt)) / HOUR)).toBe(7 * 24)
  await pass(weekly.id, 7 * 24 * HOUR)
  const over = await until(async () => {
    const one = await show(weekly.id)
    return one.status === 'ENVIADA' && one
  })
  expect(over).toMatchObject({ planned: false, repeatCounter: 0 })
  expect(await receivedBy(number)).toHaveLength(2)
  const forEver = await plan(admin, {
    contactId,
    typeSchedule: 'Recorrente Mensal',
    repeatCounter: '',
    sendAt: inMs(-1_000),
  })
  expect(await sent(forEver.id)).toMatchObject({ status: 'PENDENTE', repeatCounter: null, planned: true })
})

test('what fell due while nothing ran leaves once, marked late; of a series the newest, and the others are written down', async () => {
  const [one, many] = [await someone(), await someone()]
  const single = await plan(admin, { contactId: one.contactId })
  const series = await plan(admin, {
    contactId: many.contactId,
    typeSchedule: 'Recorrente Semanal',
    repeatCounter: 9,
  })
  await pass(single.id, 3 * HOUR)
  await pass(series.id, 3 * HOUR + 3 * 7 * 24 * HOUR)
  expect((await sent(single.id)).last).toMatchObject({ late: true })
  expect(await sent(series.id)).toMatchObject({ last: { late: true }, repeatCounter: 5, planned: true })
  expect([await receivedBy(one.number), await receivedBy(many.number)].map(heard => heard.length)).toEqual([
    1, 1,
  ])
  expect((await occurrences(series.id)).map(({ state }) => state)).toEqual([
    'skipped',
    'skipped',
    'skipped',
    'sent',
  ])
})

test('after a day nobody expects it any more: it waits for a person, who sends it or plans it anew', async () => {
  const { number, contactId } = await someone()
  const made = await plan(caio, { contactId })
  await pass(made.id, 26 * HOUR)
  const late = await failed(made.id)
  expect(late).toMatchObject({
    status: 'PENDENTE',
    planned: false,
    last: { reason: 'ERR_SCHEDULE_TOO_LATE', late: true },
  })
  expect(await receivedBy(number)).toEqual([])
  const again = () => caio.call(schedules.resend, { params: { scheduleId: made.id } })
  expect((await again()).body.last).toMatchObject({ state: 'waiting' })
  expect((await again()).body.error).toBe('ERR_SCHEDULE_NOT_FAILED')
  expect(await sent(made.id)).toMatchObject({ status: 'ENVIADA', last: { late: true } })
  expect(await receivedBy(number)).toHaveLength(1)
  const params = { scheduleId: made.id, companyId: caio.user.companyId }
  const body = { contactId, body: 'Mais uma vez', sendAt: inMs(HOUR) }
  expect(await caio.get(schedules.change, { params, body })).toMatchObject({
    status: 'PENDENTE',
    planned: true,
  })
})

test('what the network refuses is shown with its reason, and is sent again under the same message', async () => {
  const { number, contactId } = await someone()
  const fault = (kind: 'reject' | 'none') =>
    admin.get(simulator.fault, { params: { whatsappId }, body: { kind } })
  await fault('reject')
  const made = await plan(admin, { contactId, sendAt: inMs(-1_000) })
  const refused = await failed(made.id)
  expect(refused.status).toBe('PENDENTE')
  expect(refused.last!.reason).not.toBe('')
  await fault('none')
  await admin.get(schedules.resend, { params: { scheduleId: made.id } })
  expect(await sent(made.id)).toMatchObject({ status: 'ENVIADA', last: { reason: '' } })
  expect(await receivedBy(number)).toHaveLength(1)
})

test('a connection that is down is waited for; one that was removed is not', async () => {
  const { contactId } = await someone()
  const line = await rows.connection()
  await until(
    async () => (await admin.get(connections.show, { params: { whatsappId: line } })).status === 'CONNECTED',
  )
  await admin.get(connections.disconnect, { params: { whatsappId: line } })
  await until(
    async () => (await admin.get(connections.show, { params: { whatsappId: line } })).status !== 'CONNECTED',
  )
  const made = await plan(admin, { contactId, whatsappId: line, sendAt: inMs(-1_000) })
  expect(await sendOccurrence(shop(), made.id)).toBe(false)
  expect(await show(made.id)).toMatchObject({ planned: true, last: null })
  await admin.get(connections.remove, { params: { whatsappId: line } })
  expect((await failed(made.id)).last!.reason).toBe('ERR_NO_WAPP_FOUND')
  const again = await admin.call(schedules.resend, { params: { scheduleId: made.id } })
  expect([again.status, again.body.error]).toEqual([404, 'ERR_NO_WAPP_FOUND'])
})

test('many workers at once send it once', async () => {
  const { number, contactId } = await someone()
  const made = await plan(admin, { contactId, typeSchedule: 'Recorrente Semanal' })
  await pass(made.id, 2 * HOUR)
  await Promise.all(Array.from({ length: 8 }, () => sendOccurrence(shop(), made.id)))
  await sent(made.id)
  expect(await receivedBy(number)).toHaveLength(1)
})

test.each([
  // the last years in which the clocks of São Paulo were changed
  ['America/Sao_Paulo', '2017-10-01', '2019-03-31'],
  ['America/New_York', '2026-01-01', '2027-12-31'],
  ['Europe/Lisbon', '2026-01-01', '2027-12-31'],
])(
  'in %s every week and month has its time of the clock, once, through summer and winter [SCHED-031]',
  { timeout: 60_000 },
  async (zone, from, to) => {
    await app.database.script(`update companies set time_zone = '${zone}' where id = ${admin.user.companyId}`)
    const kinds = fc.constantFrom('Recorrente Semanal' as const, 'Recorrente Mensal' as const)
    // the hours in which clocks are changed, and the ends of months (OP-87), more often than chance brings them
    const hours = fc.oneof(fc.constantFrom('00:00', '00:30', '01:30', '02:30', '23:59'), anyHour)
    const days = fc.oneof(fc.constantFrom('29', '30', '31'), anyDay)
    await fc.assert(
      fc.asyncProperty(kinds, days, hours, async (typeSchedule, day, hour) => {
        // October and January, in which they begin, have 31 days
        const rhythm = { typeSchedule, firstAt: `${from.slice(0, 8)}${day}T${hour}`, repeatCounter: null }
        const shown = nextOccurrences(rhythm, -1, 120).filter(at => at.slice(0, 10) <= to)
        expect(shown.length).toBeGreaterThan(11)
        const moments = await shop().read(tx => momentsOf(tx, shown))
        expect(new Set(moments).size).toBe(shown.length)
        expect(moments.toSorted()).toEqual(moments)
        const clocks = moments.map(at => clockIn(zone, at))
        // a time that the clock skips comes as much later
        for (const [at, clock] of clocks.entries())
          expect([shown[at], clock === shown[at] || skipped(zone, shown[at]!)]).toEqual([shown[at], true])
      }),
      { numRuns: 40 },
    )
    await app.database.script(`update companies set time_zone = null where id = ${admin.user.companyId}`)
  },
)

const two = (many: number) => String(many).padStart(2, '0')
const anyDay = fc.integer({ min: 1, max: 28 }).map(two)
const anyHour = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${two(hour)}:${two(minute)}`)

/** Local time by Intl, independent of PostgreSQL's time zones. */
const clockIn = (timeZone: string, at: string) => {
  const part = Object.fromEntries(
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`
}

/** No moment of the two days around shows it. */
const skipped = (zone: string, shown: string) =>
  Array.from({ length: 4 * 48 }, (_, at) => Date.parse(`${shown}:00Z`) + (at - 96) * 15 * 60_000).every(
    at => clockIn(zone, new Date(at).toISOString()) !== shown,
  )

test('what companies keep back that are suspended costs the looking nothing, however much it is', async () => {
  const { companyId } = (await app.as('admin@outra.test')).user
  await app.database.script(`
    update companies set suspended_at = now() where id = ${companyId};
    insert into contacts (company_id, name, number) values (${companyId}, 'Ana', '5511900000000');
    insert into schedules (company_id, contact_id, body, type_message, type_schedule, send_at, first_at, next_at)
      select c.company_id, c.id, 'Oi', 'text', 'once', now(), '2026-01-01T00:00', now() - n * interval '1 second'
      from contacts c, generate_series(1, 20000) n
      where c.company_id = ${companyId} and c.number = '5511900000000';
    analyze schedules`)
  const blocks = await app.platform.scopes.platform().list(async sql => {
    const [row] = await rowsFrom<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      sql,
      tag`explain (analyze, buffers, format json) ${dueSchedules(sql, 100)}`,
    )
    return (
      row!['QUERY PLAN'][0].Plan['Shared Hit Blocks']! + row!['QUERY PLAN'][0].Plan['Shared Read Blocks']!
    )
  })
  expect(blocks).toBeLessThan(50)
  const dueNow = () => app.platform.scopes.platform().list(async sql => (await dueSchedules(sql, 100)).length)
  expect(await dueNow()).toBe(0)
  await app.database.script(`update companies set suspended_at = null where id = ${companyId};
    update schedules set next_at = null where company_id = ${companyId} and next_at < now() - interval '1 minute'`)
})

test('several contacts each get the message once, one after the other, and are deleted together; nobody of another company', async () => {
  const stranger = await app.as('admin@outra.test')
  const [one, other, out] = [await someone('Ana'), await someone('Bia'), await someone('Caio')]
  const hiding = await someone('Davi')
  const category = await admin.get(categories.create, {
    body: { name: `Clube ${one.number}`, color: '#00aa00' },
  })
  for (const { contactId } of [other, out, hiding])
    await admin.get(contacts.categorize, { body: { contactId, categoryContacts: [category] } })
  await admin.get(optOuts.add, { body: { number: out.number } })
  // known by a user id alone
  await app.database.script(`
    update contact_identifiers set kind = 'cloud', value = 'BR.1${hiding.number}' where (company_id, contact_id) = (${admin.user.companyId}, ${hiding.contactId});
    insert into opt_outs (company_id, key, number, source) values (${admin.user.companyId}, 'BR.1${hiding.number}', '', 'whatsapp')`)
  const several = (body: object, who = admin) =>
    who.call(schedules.createSeveral, {
      params: { companyId: who.user.companyId },
      body: { body: 'Oi {{cliente}}', sendAt: inMs(-1_000), ...body },
    })
  const whom = { contactIds: [one.contactId], categoryIds: [category.id] }
  const series = {
    typeSchedule: 'Recorrente em Dias',
    everyDays: 3,
    untilDay: inMs(5 * 24 * HOUR).slice(0, 10),
  }
  expect((await several({ ...whom, ...series })).body).toEqual({ planned: 2 })
  for (const { number } of [one, other]) await until(async () => (await receivedBy(number)).length === 1)
  expect((await receivedBy(other.number)).map(({ body }) => body)).toEqual(['Oi Bia'])
  expect(await receivedBy(out.number)).toEqual([])

  const of = async ({ contactId }: { contactId: number }) =>
    (await admin.get(schedules.list, { query: { contactId } })).schedules
  const [mine] = await of(one)
  expect(mine).toMatchObject({ everyDays: 3, planned: true, number: 1 })
  expect(await occurrences(mine!.id)).toEqual([{ state: 'sent' }])
  await admin.get(schedules.remove, { params: { scheduleId: mine!.id }, query: { whole: true } })
  expect([...(await of(one)), ...(await of(other))]).toEqual([])

  // one that is due alone does not wait for the others
  const again = { ...whom, sendAt: inMs(HOUR), requestId: randomUUID() }
  // pressed twice, and once more after an answer that was lost: one batch
  const twice = await Promise.all([several(again), several(again)])
  expect([...twice, await several(again)].map(({ body }) => body)).toEqual(Array(3).fill({ planned: 2 }))
  const planned = [...(await of(one)), ...(await of(other))].map(({ id }) => id).toSorted((a, b) => a - b)
  const placeOf = (scheduleId: number) =>
    shop().transaction(async tx => {
      const row = await lockSchedule(tx, scheduleId)
      return placeInBatch(tx, row, row.sendAt)
    })
  expect([await placeOf(planned[0]!), await placeOf(planned[1]!)]).toEqual([0, 1])
  await pass(planned[0]!, -HOUR)
  expect(await placeOf(planned[1]!)).toBe(0)

  expect((await several(whom, stranger)).body.error).toBe('ERR_NO_CONTACT_FOUND')
  expect((await several({})).body.error).toBe('ERR_NO_CONTACT_FOUND')
  expect((await several({ ...whom, typeSchedule: 'Recorrente em Dias' })).body.field).toBe('everyDays')
  const ended = { ...series, untilDay: inMs(-48 * HOUR).slice(0, 10) }
  expect((await several({ ...whom, ...ended })).body.field).toBe('untilDay')
})

test('a series on working days begins on one, skips holidays, and ends with its last day', async () => {
  const open = [1, 2, 3, 4, 5].map(weekday => ({ weekday, opens: 540, closes: 1_080 }))
  const holidays = [{ day: '2027-11-15', name: 'República' }]
  await admin.get(businessHours.change, { body: { hours: open, holidays } })
  expect(await caio.get(schedules.calendar)).toEqual({ weekdays: [1, 2, 3, 4, 5], holidays: ['2027-11-15'] })
  const { contactId } = await someone()
  // a Saturday before a holiday
  const made = await plan(admin, {
    contactId,
    typeSchedule: 'Recorrente em Dias Úteis',
    sendAt: '2027-11-13T09:00',
    untilDay: '2027-11-17',
  })
  expect(made).toMatchObject({ firstAt: '2027-11-16T09:00', hour: '09:00', untilDay: '2027-11-17' })
  await shop().transaction(async tx => {
    const row = await lockSchedule(tx, made.id)
    const { next } = await newestDue(tx, row, row.sendAt)
    expect(next).toMatchObject({ number: 1, at: '2027-11-17T12:00:00.000Z' })
    const last = { ...row, ...next, sendAt: next!.at }
    expect((await newestDue(tx, last, last.sendAt)).next).toBeNull()
  })

  // a holiday that is entered after it was planned
  const always = [0, 1, 2, 3, 4, 5, 6].map(weekday => ({ weekday, opens: 540, closes: 1_080 }))
  await admin.get(businessHours.change, { body: { hours: always, holidays: [] } })
  const daily = await plan(admin, { contactId, typeSchedule: 'Recorrente em Dias Úteis', repeatCounter: 2 })
  const near = [-3, 21].map(hours => ({ day: inMs(hours * HOUR).slice(0, 10), name: 'Luto' }))
  await admin.get(businessHours.change, { body: { hours: always, holidays: near } })
  await pass(daily.id, HOUR)
  await sendOccurrence(shop(), daily.id)
  const { number, repeatCounter, planned, sendAt } = await show(daily.id)
  expect({ number, repeatCounter, planned }).toEqual({ number: 0, repeatCounter: 2, planned: true })
  expect(Date.parse(sendAt) - Date.now()).toBeGreaterThan(46 * HOUR)
  expect(await occurrences(daily.id)).toEqual([])
  await admin.get(businessHours.change, { body: { hours: [], holidays: [] } })
})
