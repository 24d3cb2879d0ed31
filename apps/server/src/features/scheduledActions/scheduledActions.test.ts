import { randomUUID } from 'node:crypto'
import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import { type ScheduledActionJob, scheduledActions } from '@balcao/contract/scheduledActions.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp({ HOURS_CLOSE_TICKETS_AUTO: '24' })
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const HOUR = 3_600_000
type Asked = (typeof scheduledActions.create.body)['_input']
const add = (body: object, who = admin): Promise<ScheduledActionJob> =>
  who.get(scheduledActions.create, { body: { action: 'testAction', ...body } })
const all = (who = admin) => who.get(scheduledActions.list)
const one = async (id: string, who = admin) => (await all(who)).find(job => job.id === id)
const stands = (id: string, how: (job: ScheduledActionJob) => boolean) =>
  until(async () => {
    const job = await one(id)
    return job && how(job) && job
  }, 20_000)
const ended = (id: string) => stands(id, ({ finishedOn }) => finishedOn !== null)
/** Seconds from the begin of a failed try to the next one: the API does not distinguish it from one under way. */
const pauseAfter = (id: string, tries: number) =>
  until(async () => {
    const pause = tag`
      select extract(epoch from start_after - started_on)::float8 as s from pgboss.job
      where id = ${id} and state = 'retry' and retry_count = ${tries - 1}`
    const [row] = await app.platform.scopes.platform().transaction(sql => rowsFrom<{ s: number }>(sql, pause))
    return row?.s
  }, 20_000)
/** The clock comes to what waits, or waits for its next try. */
const pass = (id: string) =>
  app.database.script(`update pgboss.job set start_after = now() where id = '${id}'`)

test('a job waits its delay and is done; what is shown is what the queue has (SACT-001 … SACT-009, OP-108) [API-028, ENTITY-030, OP-107 … OP-108, SACT-001 … SACT-014, SACT-017]', async () => {
  const before = Date.now()
  const made = await add({ jsonData: { pedido: 7 }, delay: HOUR, name: 'Teste' })
  expect(made).toEqual({
    id: expect.any(String),
    name: 'testAction',
    timestamp: expect.any(Number),
    processedOn: null,
    finishedOn: null,
    failedReason: null,
    attemptsMade: 0,
    data: { pedido: 7 },
    opts: { attempts: 3, delay: HOUR, backoff: { type: 'exponential', delay: 5_000 } },
  })
  expect(Math.abs(made.timestamp - before)).toBeLessThan(60_000)
  const later = await add({ delay: HOUR })
  expect((await all()).map(({ id }) => id).slice(0, 2)).toEqual([later.id, made.id])
  expect(await one(made.id)).toEqual(made)
  await pass(made.id)
  const done = await ended(made.id)
  expect(done).toMatchObject({ failedReason: null, attemptsMade: 1, opts: made.opts })
  expect(done.finishedOn).toBeGreaterThanOrEqual(done.processedOn!)
})

test('without a delay it is done at once; one that fails says why and is tried three times (SACT-017) [API-028, OP-107 … OP-108, SACT-017]', async () => {
  const fine = await add({})
  expect(await ended(fine.id)).toMatchObject({ attemptsMade: 1, opts: { delay: 0 } })
  const bad = await add({ jsonData: { fail: 'sem tinta' } })
  for (const tries of [1, 2]) {
    // five seconds, doubled with each try, drawn up to twice that, and the moment that the try took
    const pause = await pauseAfter(bad.id, tries)
    expect(pause).toBeGreaterThanOrEqual(2 ** (tries - 1) * 5)
    expect(pause).toBeLessThan(2 ** tries * 5 + 3)
    expect(await one(bad.id)).toMatchObject({
      attemptsMade: tries,
      failedReason: expect.stringContaining('sem tinta'),
      finishedOn: null,
    })
    await pass(bad.id)
  }
  expect(await ended(bad.id)).toMatchObject({
    attemptsMade: 3,
    failedReason: expect.stringContaining('sem tinta'),
  })
})

test('what is deleted before its time is never done, one by one and all at once (SACT-013, SACT-014)', async () => {
  const [first, second, third] = [
    await add({ delay: HOUR }),
    await add({ delay: HOUR }),
    await add({ delay: HOUR }),
  ]
  const theirs = await add({ delay: HOUR }, stranger)
  await admin.get(scheduledActions.remove, { params: { jobId: first.id } })
  expect((await all()).map(({ id }) => id)).toEqual(expect.arrayContaining([second.id, third.id]))
  expect(await one(first.id)).toBeUndefined()
  await admin.get(scheduledActions.removeAll)
  expect(await all()).toEqual([])
  expect((await all(stranger)).map(({ id }) => id)).toContain(theirs.id)
  const again = await admin.call(scheduledActions.remove, { params: { jobId: first.id } })
  expect([again.status, again.body.error]).toEqual([404, 'ERR_NOT_FOUND'])
})

test('it is for admins, each company its own (SACT-018, OP-61) [OP-61, SACT-018]', async () => {
  const made = await add({ delay: HOUR })
  expect(await one(made.id, stranger)).toBeUndefined()
  const params = { jobId: made.id }
  expect((await stranger.call(scheduledActions.remove, { params })).status).toBe(404)
  await stranger.get(scheduledActions.removeAll)
  expect(await one(made.id)).toEqual(made)
  for (const route of [scheduledActions.list, scheduledActions.removeAll])
    expect((await marina.call(route)).status).toBe(403)
})

test.each<[field: string, body: object]>([
  ['action', {}],
  ['action', { action: 'rm -rf' }],
  ['delay', { action: 'testAction', delay: -1 }],
  ['delay', { action: 'testAction', delay: 1.5 }],
  ['delay', { action: 'testAction', delay: 400 * 24 * HOUR }],
  ['jsonData', { action: 'testAction', jsonData: 'x' }],
  ['jsonData', { action: 'testAction', jsonData: { much: 'x'.repeat(30_000) } }],
])('a wrong %s is refused with its field: case %#', async (field, body) => {
  const before = (await all()).length
  const refused = await admin.call(scheduledActions.create, { body: body as Asked })
  expect([refused.status, refused.body.field]).toEqual([400, field])
  expect(await all()).toHaveLength(before)
})

test('an unknown job is not found, a name that is none is refused', async () => {
  expect((await admin.call(scheduledActions.remove, { params: { jobId: randomUUID() } })).status).toBe(404)
  expect((await admin.call(scheduledActions.remove, { params: { jobId: 'nada' } })).status).toBe(400)
})

async function silentTicket(who: Person) {
  const whatsappId = who.user.whatsappId!
  const number = newNumber()
  await who.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Rita', body: 'Oi' } })
  const { id } = await until(async () =>
    (await who.get(tickets.list)).tickets.find(({ contact }) => contact.number === number),
  )
  const queueId = who.user.queues[0]?.id ?? null
  await who.get(tickets.change, { params: { ticketId: id }, body: { status: 'open', queueId } })
  await app.database.script(`update tickets set updated_at = now() - interval '25 hours' where id = ${id}`)
  return async () => (await who.get(tickets.show, { params: { ticketId: id } })).status
}

test('silent tickets of the company are closed, those of another are not (OP-107) [OP-107 … OP-108]', async () => {
  const [ours, theirs] = [await silentTicket(admin), await silentTicket(stranger)]
  const { id } = await add({ action: 'closeInactiveTickets' })
  await ended(id)
  expect([await ours(), await theirs()]).toEqual(['closed', 'open'])
})

test('what is due of the schedules leaves, once; campaigns whose time has come begin (OP-107) [OP-107 … OP-108]', async () => {
  const number = newNumber()
  const { id: contactId } = await admin.get(contacts.create, { body: { name: 'Ana', number } })
  const made = await admin.get(schedules.create, {
    params: { companyId: admin.user.companyId },
    body: { contactId, body: 'Até já', sendAt: new Date(Date.now() + 500).toISOString() },
  })
  const jobs = [
    await add({ action: 'sendScheduledMessages', delay: 600 }),
    await add({ action: 'startScheduledCampaigns' }),
  ]
  for (const { id } of jobs) expect(await ended(id)).toMatchObject({ failedReason: null, attemptsMade: 1 })
  await until(
    async () => (await admin.get(schedules.show, { params: { scheduleId: made.id } })).last?.state === 'sent',
  )
  const whatsappId = admin.user.whatsappId!
  const pushes = await admin.get(simulator.chat, { params: { whatsappId, number } })
  expect(pushes.filter(({ fromMe }) => fromMe).map(({ body }) => body)).toEqual(['Até já'])
})

test('what the day says of the company’s invoices is planned, once (OP-107) [OP-107 … OP-108]', async () => {
  const master = await app.as('master@balcao.test')
  const { companyId } = admin.user
  const [plan] = await admin.get(plans.ofCompany, { params: { companyId } })
  const day = clockDay()
  await master.get(billingNotices.addContact, {
    body: { contactName: 'Rute', email: 'rute@lume.test', companyId },
  })
  await master.get(invoices.create, {
    params: { planId: plan!.id },
    body: {
      ...{ startInvoicePeriod: day, endInvoicePeriod: day, dueDate: day },
      ...{ valueBrl: '99,90', billingType: 'PIX', recurrence: 1 },
    },
  })
  for (const { id } of [
    await add({ action: 'sendInvoiceNotifications' }),
    await add({ action: 'sendInvoiceNotifications' }),
  ])
    await ended(id)
  const { notices } = await admin.get(billingNotices.listNotices, { params: { companyId } })
  expect(notices.map(({ kind }) => kind).toSorted()).toEqual(['invoiceCreated', 'invoiceDay'])
})

/** Today in São Paulo. */
const clockDay = () => new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)
