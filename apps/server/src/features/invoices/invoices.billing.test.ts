import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { type Invoice, invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { billAll } from './invoices.jobs.ts'

// Automatic invoices, by a clock that the test moves.

let app: TestApp
let master: Person
let planId: number
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  // nothing is paid here
  await master.get(companies.changeSetting, { params: { settingKey: 'unpaidPeriods' }, body: { value: '0' } })
  const { companyId } = (await app.as('admin@balcao.test')).user
  planId = (await master.get(plans.ofCompany, { params: { companyId } }))[0]!.id
})
afterAll(() => app.close())

const add = (body: object, plan = planId) =>
  master.get(invoices.create, {
    params: { planId: plan },
    body: {
      ...{ startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', dueDate: '2026-11-10' },
      ...{ valueBrl: 'R$ 1.234,50', billingType: 'PIX' as const, recurrence: 1 as const, ...body },
    },
  })
const change = (plan: number, body: object) => master.get(plans.change, { params: { planId: plan }, body })
const starts = async (plan: number) => (await of(plan)).map(one => one.startInvoicePeriod)

/** A company whose plan is billed by itself. */
async function billed(plan: object) {
  const body = {
    name: 'Cliente',
    email: `${unique()}@cliente.test`,
    userName: 'Dona',
    passwordDefault: 'balcao-demo',
  }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const own = await master.get(plans.create, {
    body: {
      name: `Plano ${unique()}`,
      automaticInvoice: true,
      value1Month: 9_900,
      value3Months: 9_000,
      ...plan,
    },
  })
  // as it is copied when it is assigned
  const copy = await master.get(plans.assign, { params: { companyId, planId: own.id } })
  return { companyId, planId: copy.id }
}
const bill = (day: string) =>
  billAll(app.platform.scopes, app.platform.config, new Date(`${day}T12:00:00-03:00`))
/** All of them, the oldest period first. */
async function of(plan: number) {
  const found: Invoice[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const page = await master.get(invoices.list, { params: { planId: plan }, query: { pageNumber } })
    found.push(...page.list)
    if (!page.hasMore) return found.toReversed()
  }
}

test('are made once a period over two years, however often and by however many it is tried (INVOICE-011, OP-127) [OP-125 … OP-127, INVOICE-011]', async () => {
  const monthly = await billed({ recurrence: 'month1' })
  const quarterly = await billed({ recurrence: 'months3' })
  const free = await billed({ value1Month: 0, value3Months: 0 })
  for (let week = 0; week < 104; week++) {
    // a week in which nothing ran
    if (week % 9 === 4) continue
    const day = new Date(Date.parse('2026-01-31') + week * 7 * 86_400_000).toISOString().slice(0, 10)
    await Promise.all([bill(day), bill(day), ...(week % 5 === 0 ? [bill(day)] : [])])
  }
  const made = await of(monthly.planId)
  const starts = made.map(one => one.startInvoicePeriod)
  expect(starts.slice(0, 5)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  expect(new Set(starts).size).toBe(made.length)
  for (const [at, one] of made.slice(1).entries())
    expect(Date.parse(one.startInvoicePeriod) - Date.parse(made[at]!.endInvoicePeriod)).toBe(86_400_000)
  expect(made.every(one => one.isAutomatic && one.value === 9_900 && one.recurrence === 1)).toBe(true)
  expect((await of(quarterly.planId)).slice(0, 2)).toMatchObject([
    { startInvoicePeriod: '2026-01-31', endInvoicePeriod: '2026-04-29', value: 27_000, recurrence: 3 },
    { startInvoicePeriod: '2026-04-30', endInvoicePeriod: '2026-07-30' },
  ])
  expect(await of(free.planId)).toEqual([])
  await master.get(plans.change, { params: { planId: monthly.planId }, body: { automaticInvoice: false } })
  await master.get(plans.change, {
    params: { planId: quarterly.planId },
    body: { automaticInvoice: false },
  })
}, 120_000)

test('who came by the store pays first when the trial ends, fifteen days after (OP-121) [OP-121, LEAD-020, INVOICE-011]', async () => {
  const trial = await billed({ recurrence: 'month1' })
  await app.database.script(`update companies set lead_id = 1, created_at = '2027-06-01T15:00:00Z'
    where id = ${trial.companyId}`)
  await bill('2027-06-05')
  expect(await of(trial.planId)).toEqual([])
  await bill('2027-06-06')
  expect(await of(trial.planId)).toMatchObject([{ startInvoicePeriod: '2027-06-16', dueDate: '2027-06-16' }])
  await master.get(plans.change, { params: { planId: trial.planId }, body: { automaticInvoice: false } })
})

test('are overdue when their day is over where the company is, not before (OP-126) [OP-125 … OP-127]', async () => {
  const { id } = await add({
    startInvoicePeriod: '2028-05-01',
    endInvoicePeriod: '2028-05-31',
    dueDate: '2028-05-10',
  })
  const status = async () => (await of(planId)).find(one => one.id === id)!.status
  const at = (moment: string) => billAll(app.platform.scopes, app.platform.config, new Date(moment))
  // in São Paulo it is still the tenth
  await at('2028-05-11T02:30:00Z')
  expect(await status()).toBe('PENDING')
  await at('2028-05-11T03:30:00Z')
  expect(await status()).toBe('OVERDUE')
})

test('of a company that is switched off none are made, and what it missed is not billed when it is on again [INVOICE-011]', async () => {
  const { companyId, planId: own } = await billed({})
  const turn = (status: 0 | 1) => master.get(clients.change, { params: { companyId }, body: { status } })
  /** The clock of the switch is the real one, that of the invoices is the test’s. */
  const switched = (column: string, day: string) =>
    app.database.script(`update subscription_pauses set ${column} = '${day}' where company_id = ${companyId}`)
  const periods = async () =>
    (await of(own)).map(({ startInvoicePeriod, endInvoicePeriod }) => [startInvoicePeriod, endInvoicePeriod])
  await bill('2029-01-10')
  await turn(0)
  await switched('from_day', '2029-01-20')
  await bill('2029-04-20')
  expect(await periods()).toEqual([['2029-01-10', '2029-02-09']])
  await turn(1)
  await switched('until_day', '2029-05-03')
  await bill('2029-05-03')
  expect(await periods()).toEqual([
    ['2029-01-10', '2029-02-09'],
    ['2029-05-03', '2029-06-02'],
  ])
  await bill('2029-06-10')
  expect((await periods()).slice(2)).toEqual([['2029-06-03', '2029-07-02']])
  expect((await of(own)).slice(1).map(({ dueDate }) => dueDate)).toEqual(['2029-05-03', '2029-06-10'])
  await master.get(plans.change, { params: { planId: own }, body: { automaticInvoice: false } })
})

test('of a company that was off for some days of a period that it has an invoice of go on as before', async () => {
  const { companyId, planId: own } = await billed({})
  await bill('2029-01-10')
  await app.database.script(`insert into subscription_pauses (company_id, kind, from_day, until_day)
    values (${companyId}, 'off', '2029-01-12', '2029-01-20')`)
  // nothing ran for two months, in which it was there
  await bill('2029-03-15')
  expect((await of(own)).map(({ startInvoicePeriod }) => startInvoicePeriod)).toEqual([
    '2029-01-10',
    '2029-02-10',
    '2029-03-10',
  ])
  await master.get(plans.change, { params: { planId: own }, body: { automaticInvoice: false } })
})

test('what a company owed nothing for is not billed when automatic invoices are switched on, nor when its plan gets a price', async () => {
  const off = await billed({})
  await bill('2029-03-01')
  await change(off.planId, { automaticInvoice: false })
  await bill('2029-10-20')
  await change(off.planId, { automaticInvoice: true, billedFrom: '2029-11-03' })
  await bill('2029-11-03')
  expect(await starts(off.planId)).toEqual(['2029-03-01', '2029-11-03'])
  const free = await billed({ value1Month: 0, value3Months: 0 })
  await bill('2029-03-01')
  await change(free.planId, { value1Month: 9_900, billedFrom: '2029-06-15' })
  await bill('2029-06-15')
  expect(await of(free.planId)).toMatchObject([{ startInvoicePeriod: '2029-06-15', value: 9_900 }])
  for (const one of [off, free]) await change(one.planId, { automaticInvoice: false })
})

test('after a downtime each period is billed at the price of its first day', async () => {
  const { companyId, planId: own } = await billed({})
  await bill('2029-01-10')
  await change(own, { value1Month: 12_000 })
  // the price was raised on the twentieth of February
  await app.database.script(`update plan_prices set since = case when value = 12000 then '2029-02-20T12:00:00Z'::timestamptz
    else '2029-01-01' end where company_id = ${companyId}`)
  await bill('2029-03-15')
  expect((await of(own)).map(one => [one.startInvoicePeriod, one.value])).toEqual([
    ['2029-01-10', 9_900],
    ['2029-02-10', 9_900],
    ['2029-03-10', 12_000],
  ])
  await change(own, { automaticInvoice: false })
})

test('begin behind what was invoiced by hand, and do not come back when they are deleted or cancelled', async () => {
  const { companyId, planId: own } = await billed({ automaticInvoice: false })
  await add(
    {
      startInvoicePeriod: '2029-01-10',
      endInvoicePeriod: '2030-01-09',
      dueDate: '2029-01-10',
      recurrence: 12,
    },
    own,
  )
  await change(own, { automaticInvoice: true, billedFrom: '2029-06-01' })
  await bill('2029-12-31')
  expect(await starts(own)).toEqual(['2029-01-10', '2030-01-10'])
  const [, automatic] = await of(own)
  await master.get(invoices.remove, { params: { invoiceId: automatic!.id } })
  await master.get(billingNotices.addContact, {
    body: { contactName: 'Rute', email: `${unique()}@cliente.test`, companyId },
  })
  await bill('2030-01-31')
  await bill('2030-02-20')
  const [, february] = await of(own)
  expect(february).toMatchObject({ startInvoicePeriod: '2030-02-10', status: 'OVERDUE' })
  await master.get(invoices.cancel, { params: { invoiceId: february!.id }, body: { reason: 'Cortesia' } })
  await bill('2030-02-21')
  expect((await of(own)).map(one => [one.startInvoicePeriod, one.state])).toEqual([
    ['2029-01-10', 'open'],
    ['2030-02-10', 'cancelled'],
  ])
  const { notices } = await master.get(billingNotices.listNotices, { params: { companyId } })
  expect(notices.map(({ kind }) => kind)).not.toContain('invoiceConfirmedPayment')
  await change(own, { automaticInvoice: false })
})

test('made ahead of a time in which the company was off are not owed, and its time after is billed from its return', async () => {
  const { companyId, planId: own } = await billed({})
  await bill('2029-01-10')
  await bill('2029-01-31')
  await app.database.script(`insert into subscription_pauses (company_id, kind, from_day, until_day)
    values (${companyId}, 'off', '2029-02-05', '2029-05-03')`)
  await bill('2029-05-03')
  expect((await of(own)).map(one => [one.startInvoicePeriod, one.endInvoicePeriod, one.state])).toEqual([
    ['2029-01-10', '2029-02-09', 'open'],
    ['2029-02-10', '2029-03-09', 'cancelled'],
    ['2029-05-03', '2029-06-02', 'open'],
  ])
  await change(own, { automaticInvoice: false })
})

test('a period without a price is refused in a plan that has one', async () => {
  const { planId: own } = await billed({})
  const refused = await master.call(plans.change, {
    params: { planId: own },
    body: { recurrence: 'months12' },
  })
  expect([refused.body.error, refused.body.field]).toEqual(['ERR_PLAN_UNPRICED', 'recurrence'])
  await change(own, { automaticInvoice: false })
})
