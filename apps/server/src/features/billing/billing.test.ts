import { billing } from '@balcao/contract/billing.ts'
import { clients } from '@balcao/contract/clients.ts'
import { daysFrom, monthsFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { plans } from '@balcao/contract/plans.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { billAll } from '../invoices/invoices.jobs.ts'
import { billedCompanies } from '../invoices/invoices.queries.ts'
import { openSubscription } from '../subscriptions/subscriptions.queries.ts'
import { applyChanges } from './billing.change.actions.ts'

let app: TestApp
let master: Person
let stranger: Person
let small: number
let big: number
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  stranger = await app.as('admin@outra.test')
  small = await plan({ value1Month: 9_990, numberAttendants: 1 })
  big = await plan({ value1Month: 29_970, value12Months: 25_000, numberAttendants: 5 })
})
afterAll(() => app.close())

const plan = async (body: object) =>
  (await master.get(plans.create, { body: { name: `Plano ${unique()}`, ...body } })).id
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
const bill = (day: string) =>
  billAll(app.platform.scopes, app.platform.config, new Date(`${day}T12:00:00-03:00`))

/** A company whose period began some days ago; its plan, its admin, and what it is asked. */
async function company(planId = small, began = 10) {
  const email = `${unique()}@cliente.test`
  const body = { name: 'Cliente', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const own = await master.get(plans.assign, { params: { companyId, planId } })
  await bill(daysFrom(today, -began))
  const params = { companyId }
  const dona = await app.as(email)
  const list = async () => (await dona.get(invoices.list, { params: { planId: own.id } })).list.toReversed()
  const quote = (to: number, more: object = {}) =>
    dona.get(billing.quote, { params, query: { planId: to, recurrence: 'month1', when: 'now', ...more } })
  const change = async (to: number, more: object = {}, who = dona) => {
    const { due } = await quote(to, more)
    const asked = { planId: to, recurrence: 'month1' as const, when: 'now' as const, due, ...more }
    return who.call(billing.changePlan, { params, body: asked })
  }
  const balance = async () => (await dona.get(payments.statement, { params })).balance
  return { companyId, params, dona, planId: own.id, list, quote, change, balance }
}
type Company = Awaited<ReturnType<typeof company>>
const pay = async ({ list }: Company, at = 0) =>
  master.get(invoices.pay, { params: { invoiceId: (await list())[at]!.id }, body: { payDate: today } })

/** What is left of a period of a month that began ten days ago, to the cent. */
const restOf = (value: number) => {
  const start = daysFrom(today, -10)
  const end = monthsFrom(start, 1, Number(start.slice(8)))
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000
  return Math.round((value * (days - 10)) / days)
}

test('a bigger plan at once: the rest of the paid period is credit, a period begins today, and the price was shown before', async () => {
  const shop = await company()
  await pay(shop)
  const quote = await shop.quote(big)
  expect(quote).toMatchObject({
    from: today,
    value: 29_970,
    credit: restOf(9_990),
    due: 29_970 - restOf(9_990),
  })
  const { body } = await shop.change(big)
  expect(body).toMatchObject({ billedThrough: expect.any(String), credit: 0, change: null })
  expect(await shop.list()).toMatchObject([
    { state: 'paid', value: 9_990 - restOf(9_990), creditedValue: restOf(9_990) },
    { state: 'partlyPaid', startInvoicePeriod: today, value: 29_970, paidValue: restOf(9_990) },
  ])
  expect(await shop.balance()).toBe(restOf(9_990) - 29_970)
  expect(await shop.dona.get(plans.show, { params: { planId: shop.planId } })).toMatchObject({
    ...{ value1Month: 29_970, numberAttendants: 5 },
  })
  // pressed twice
  const again = await shop.dona.call(billing.changePlan, {
    params: shop.params,
    body: { planId: big, recurrence: 'month1', when: 'now', due: quote.due },
  })
  expect(again.body.error).toBe('ERR_PLAN_SAME')
  await bill(today)
  expect(await shop.list()).toHaveLength(2)
})

test('a period that is not paid yet owes only what was used of it', async () => {
  const shop = await company()
  const { due } = await shop.quote(big)
  expect(due).toBe(29_970)
  await shop.change(big)
  const [old, anew] = await shop.list()
  expect(old).toMatchObject({ state: 'open', value: 9_990 - restOf(9_990), paidValue: 0 })
  expect(anew).toMatchObject({ state: 'open', paidValue: 0 })
  expect(await shop.balance()).toBe(restOf(9_990) - 9_990 - 29_970)
})

test('changed twice on a day, the period that began then is cancelled, and its money pays the next', async () => {
  const shop = await company()
  await pay(shop)
  await shop.change(big)
  await pay(shop, 1)
  expect((await shop.change(big, { recurrence: 'months12' })).status).toBe(200)
  const [, month, year] = await shop.list()
  expect([month!.state, year!.state]).toEqual(['cancelled', 'partlyPaid'])
  expect(year).toMatchObject({ recurrence: 12, value: 300_000, paidValue: 29_970 })
  expect(await shop.balance()).toBe(29_970 - 300_000)
})

test('a change with the next period costs nothing now, is shown, can be withdrawn, and comes with its day', async () => {
  const shop = await company(big)
  await pay(shop)
  const next = { when: 'next' as const }
  const { from, due, overAttendants } = await shop.quote(small, next)
  expect([due, overAttendants]).toEqual([9_990, null])
  expect((await shop.change(small, next)).body).toMatchObject({ change: { from, recurrence: 'month1' } })
  await shop.dona.get(billing.keepPlan, { params: shop.params })
  expect(await shop.dona.get(billing.show, { params: shop.params })).toMatchObject({
    ...{ change: null, nextInvoice: { start: from, value: 29_970 } },
  })
  await shop.change(small, next)
  expect(await shop.dona.get(billing.show, { params: shop.params })).toMatchObject({
    nextInvoice: { start: from, value: 9_990 },
  })
  await bill(from)
  expect(await shop.list()).toMatchObject([
    { value: 29_970, state: 'paid' },
    { startInvoicePeriod: from, value: 9_990 },
  ])
})

test('what is not offered, has no price for the period, or costs another sum by now is refused; others reach nothing', async () => {
  const shop = await company()
  const hidden = await plan({ value1Month: 100, status: false })
  const query = { planId: hidden, recurrence: 'month1' as const, when: 'now' as const }
  const asks = (who: Person, more: object = {}) =>
    who.call(billing.quote, { params: shop.params, query: { ...query, ...more } })
  expect((await asks(shop.dona)).body.error).toBe('ERR_NO_PLAN_FOUND')
  expect((await asks(master)).status).toBe(200)
  const unpriced = await asks(shop.dona, { planId: small, recurrence: 'months3' })
  expect([unpriced.body.error, unpriced.body.field]).toEqual(['ERR_PLAN_UNPRICED', 'recurrence'])
  const stale = await shop.dona.call(billing.changePlan, {
    params: shop.params,
    body: { planId: big, recurrence: 'month1', when: 'now', due: 1 },
  })
  expect(stale.body.error).toBe('ERR_PRICE_CHANGED')
  for (const call of [billing.show, payments.statement])
    expect((await stranger.call(call, { params: shop.params })).body.error).toBe('ERR_NO_COMPANY_FOUND')
  expect((await asks(stranger)).body.error).toBe('ERR_NO_COMPANY_FOUND')
})

test('a pause with dates: periods within it are not billed, waiting invoices of it are cancelled, and it ends on a day', async () => {
  const shop = await company()
  await bill(daysFrom(today, 15))
  const [, ahead] = await shop.list()
  const from = daysFrom(ahead!.startInvoicePeriod, -1)
  const paused = await master.get(billing.pause, { params: shop.params, body: { from, reason: 'Reforma' } })
  expect(paused).toMatchObject({
    nextInvoice: null,
    pauses: [{ kind: 'pause', from, until: null, reason: 'Reforma' }],
  })
  expect((await shop.list())[1]).toMatchObject({ state: 'cancelled', cancelReason: 'paused' })
  const until = daysFrom(from, 40)
  const resumed = await master.get(billing.resume, {
    params: { ...shop.params, pauseId: paused.pauses[0]!.id },
    body: { until },
  })
  expect(resumed.nextInvoice).toMatchObject({ start: until, value: 9_990 })
  const refused = await shop.dona.call(billing.pause, {
    params: shop.params,
    body: { from, reason: 'Férias' },
  })
  expect(refused.status).toBe(403)
})

const days = (start: string, months = 1) =>
  (Date.parse(monthsFrom(start, months, Number(start.slice(8)))) - Date.parse(start)) / 86_400_000
const credit = ({ companyId }: Company, value: number) =>
  app.database.script(`insert into payments (company_id, source, value, paid_on, note)
    values (${companyId}, 'credit', ${value}, '${today}', 'Cortesia')`)

test('credit that a company has pays what is owed, and then the new period: the price says so before', async () => {
  const shop = await company()
  await credit(shop, 5_000)
  const left = 5_000 - (9_990 - restOf(9_990))
  expect(await shop.quote(big)).toMatchObject({ credit: left, due: 29_970 - left })
  await shop.change(big)
  expect(await shop.list()).toMatchObject([{ state: 'paid' }, { value: 29_970, paidValue: left }])
})

const credits = async ({ params }: Company) =>
  (await master.get(payments.credits, { params })).payments.map(({ id, freeValue }) => [id, freeValue])

test('of two credits of one day that an earlier version granted an invoice that is cancelled takes back its own', async () => {
  const shop = await company()
  await app.database.script(
    `update invoices set released_from = '${today}' where company_id = ${shop.companyId}`,
  )
  await credit(shop, restOf(9_990))
  await credit(shop, 1_234)
  const [first] = await shop.list()
  await master.get(invoices.cancel, { params: { invoiceId: first!.id }, body: { reason: 'Cortesia' } })
  expect((await credits(shop)).map(([, free]) => free)).toEqual([1_234])
})

test('what is given back of an invoice that credit of an earlier version paid is credit again, and no money', async () => {
  const shop = await company()
  await credit(shop, 9_990)
  const [[paymentId]] = (await credits(shop)) as [[number, number]]
  const invoiceId = (await shop.list())[0]!.id
  await master.get(payments.assign, { params: { paymentId }, body: { invoiceId } })
  const giveBack = (isGift: boolean) =>
    master.get(payments.refundInvoice, { params: { invoiceId }, body: { reason: 'Pedido', isGift } })
  await giveBack(false)
  expect([await shop.list(), await credits(shop)]).toMatchObject([[{ state: 'paid' }], []])
  await giveBack(true)
  expect([await shop.list(), await credits(shop)]).toMatchObject([
    [{ state: 'cancelled' }],
    [[paymentId, 9_990]],
  ])
  await master.get(payments.refund, { params: { paymentId }, body: { reason: 'Engano', valueBrl: '90,00' } })
  expect([await credits(shop), await shop.balance()]).toEqual([[[paymentId, 990]], 990])
  await master.get(payments.refund, { params: { paymentId }, body: { reason: 'Engano' } })
  expect([await credits(shop), await shop.balance()]).toEqual([[], 0])
  const { lines } = await shop.dona.get(payments.statement, { params: shop.params })
  expect(lines.filter(({ kind }) => kind === 'refund')).toEqual([])
})

test('a plan without automatic invoices bills the period of a change at once, and no later one', async () => {
  const shop = await company()
  await pay(shop)
  await master.get(plans.change, { params: { planId: shop.planId }, body: { automaticInvoice: false } })
  const { due } = await shop.quote(big)
  await shop.change(big)
  expect((await shop.list()).map(one => one.value - one.paidValue)).toEqual([0, due])
  await bill(daysFrom(today, 60))
  expect(await shop.list()).toHaveLength(2)
})

test('in a trial a change costs nothing now and shortens it not, also when the first invoice is made already', async () => {
  const shop = await company(small, 0)
  const ends = daysFrom(today, 5)
  await app.database.script(`delete from invoices where company_id = ${shop.companyId};
    update subscriptions set billed_through = null, anchor = null, trial_ends_on = '${ends}' where company_id = ${shop.companyId}`)
  await bill(today)
  expect(await shop.list()).toMatchObject([{ startInvoicePeriod: ends, value: 9_990 }])
  expect(await shop.quote(big)).toMatchObject({ value: 29_970, due: 0 })
  await shop.change(big)
  expect(await shop.list()).toMatchObject([
    { state: 'cancelled' },
    { state: 'open', startInvoicePeriod: ends, value: 29_970 },
  ])
  // prolonged by a master, it is made again for the later day
  const later = daysFrom(today, 9)
  await master.get(billing.change, { params: shop.params, body: { trialEndsOn: later } })
  expect((await shop.list()).filter(({ state }) => state === 'open')).toMatchObject([
    { startInvoicePeriod: later, dueDate: later },
  ])
})

test('a change that waited over a downtime: its period has its price', async () => {
  const shop = await company(big)
  await shop.change(small, { when: 'next' })
  const { from } = await shop.quote(small, { when: 'next' })
  const now = new Date(`${daysFrom(from, 3)}T12:00:00-03:00`)
  await applyChanges(app.platform.scopes, { payee: null, now })
  expect((await shop.list()).at(-1)).toMatchObject({ startInvoicePeriod: from, value: 9_990 })
  expect(await shop.dona.get(plans.show, { params: { planId: shop.planId } })).toMatchObject({
    value1Month: 9_990,
  })
})

test('a change that waits leaves alone what the company has decided since: by whom and how it is billed', async () => {
  const shop = await company(big)
  await shop.change(small, { when: 'next' })
  const { from } = await shop.quote(small, { when: 'next' })
  const own = { params: { planId: shop.planId } }
  await master.get(plans.change, { ...own, body: { automaticInvoice: false, billingType: 'BOLETO' } })
  await applyChanges(app.platform.scopes, { payee: null, now: new Date(`${from}T12:00:00-03:00`) })
  expect(await shop.dona.get(plans.show, own)).toMatchObject({
    ...{ value1Month: 9_990, automaticInvoice: false, billingType: 'BOLETO' },
  })
})

test('a pause that is entered late bills nothing again behind an invoice that was deleted', async () => {
  const shop = await company(small, 70)
  await pay(shop)
  await bill(daysFrom(today, -30))
  await bill(today)
  const periods = await shop.list()
  expect(periods.length).toBeGreaterThan(2)
  const [first, second] = periods
  await app.database.script(`delete from invoices where id = ${second!.id}`)
  const pause = { from: first!.startInvoicePeriod, until: daysFrom(first!.startInvoicePeriod, 1) }
  await master.get(billing.pause, { params: shop.params, body: { ...pause, reason: 'Engano' } })
  await bill(today)
  expect((await shop.list()).map(({ id }) => id)).toEqual(
    periods.filter(({ id }) => id !== second!.id).map(({ id }) => id),
  )
})

test('a manual invoice that ends on any day is followed by a whole period', async () => {
  const shop = await company(small, 10)
  const [own] = await shop.list()
  const start = daysFrom(own!.endInvoicePeriod, 1)
  const until = daysFrom(start, 16)
  await master.get(invoices.create, {
    params: { planId: shop.planId },
    body: {
      ...{ startInvoicePeriod: start, endInvoicePeriod: until, dueDate: start },
      ...{ valueBrl: '50,00', billingType: 'PIX', recurrence: 1 },
    },
  })
  await bill(until)
  const next = (await shop.list()).at(-1)!
  expect(next.startInvoicePeriod).toBe(daysFrom(until, 1))
  expect((Date.parse(next.endInvoicePeriod) - Date.parse(next.startInvoicePeriod)) / 86_400_000 + 1).toBe(
    days(next.startInvoicePeriod),
  )
})

test('only a master says from when a company is billed, and another company’s user changes nothing of it', async () => {
  const shop = await company(small, 0)
  const params = { planId: shop.planId }
  await master.get(plans.change, { params, body: { automaticInvoice: false, value12Months: 9_000 } })
  await master.get(plans.change, { params, body: { value1Month: 0, recurrence: 'months12' } })
  await app.database.script(`update plans set recurrence = 'month1', automatic_invoice = true where id = ${shop.planId};
    update subscriptions set billed_from = null where company_id = ${shop.companyId}`)
  const from = async () => (await shop.dona.get(billing.show, { params: shop.params })).billedFrom
  const body = { recurrence: 'months12' as const, billedFrom: '2020-01-01' }
  expect((await stranger.call(plans.change, { params, body })).body.error).toBe('ERR_NO_PLAN_FOUND')
  expect(await from()).toBeNull()
  await shop.dona.get(plans.change, { params, body })
  expect(await from()).toBe(today)
})

test('a company that paid has no trial any more; one that did not is billed from the end of the trial that it is given', async () => {
  const shop = await company()
  const prolong = { params: shop.params, body: { trialEndsOn: daysFrom(today, 20) } }
  await pay(shop)
  const refused = await master.call(billing.change, prolong)
  expect([refused.status, refused.body.field]).toEqual([400, 'trialEndsOn'])
  await master.get(invoices.pay, {
    params: { invoiceId: (await shop.list())[0]!.id },
    body: { payDate: null },
  })
  expect((await shop.dona.call(billing.change, prolong)).status).toBe(403)
  const shown = await master.get(billing.change, prolong)
  expect(shown).toMatchObject({ trialEndsOn: daysFrom(today, 20), billedThrough: null })
  expect(await shop.list()).toMatchObject([{ state: 'cancelled', cancelReason: 'trialExtended' }])
})

test('a trial that ends within a period of which the next is invoiced already bills no day twice', async () => {
  const shop = await company(small, 25)
  await bill(today)
  expect(await shop.list()).toHaveLength(2)
  await master.get(billing.change, { params: shop.params, body: { trialEndsOn: daysFrom(today, 2) } })
  await bill(today)
  const kept = (await shop.list()).filter(({ state }) => state !== 'cancelled')
  expect(kept.map(({ startInvoicePeriod }) => startInvoicePeriod)).toEqual([daysFrom(today, 2)])
})

test('a plan that lets a company rest is looked at every hour until it is paid, and not afterwards', async () => {
  const resting = await plan({ value1Month: 9_990, restsAfterTrial: true })
  const shop = await company(resting, 0)
  const looksAt = () =>
    app.database.transaction('', sql => billedCompanies(sql, new Date(), app.platform.config.tzDefault))
  expect(await looksAt()).toContain(shop.companyId)
  await pay(shop)
  expect(await looksAt()).not.toContain(shop.companyId)
})

test('a company whose only payment is given back has the grace of a late invoice, also where its plan rests after the trial', async () => {
  const shop = await company(await plan({ value1Month: 9_990, restsAfterTrial: true }), 0)
  const { companyId, dona } = shop
  await pay(shop)
  // as a refund of the provider leaves it
  await app.database.script(`update subscriptions set trial_ends_on = '${today}' where company_id = ${companyId};
    delete from payment_allocations where company_id = ${companyId};
    insert into payment_refunds (company_id, payment_id, value)
      select company_id, id, value from payments where company_id = ${companyId};
    update invoices set status = 'PENDING', paid_value = 0, due_date = '${today}' where company_id = ${companyId}`)
  await bill(today)
  const { company: shown } = await dona.get(users.show, { params: { userId: dona.user.id } })
  expect([(await shop.list())[0]!.state, shown.suspended]).toEqual(['open', false])
})

test('a suspension whose reason ended is lifted by the next run, also where the process died before it was', async () => {
  const shop = await company(await plan({ value1Month: 9_990, restsAfterTrial: true }), 0)
  const { companyId, planId, dona } = shop
  const isSuspended = async () =>
    (await dona.get(users.show, { params: { userId: dona.user.id } })).company.suspended
  await app.database.script(`delete from invoices where company_id = ${companyId};
    update subscriptions set billed_through = null, anchor = null, trial_ends_on = '${today}' where company_id = ${companyId}`)
  await bill(today)
  expect(await isSuspended()).toBe(true)
  await app.database.script(
    `update plans set rests_after_trial = false, automatic_invoice = false where id = ${planId}`,
  )
  await bill(today)
  expect(await isSuspended()).toBe(false)
})

test('the subscription and the statement of a company are read without a lock, and nothing is written', async () => {
  const shop = await company()
  const release = await lockedSubscription(shop)
  const shown = await shop.dona.get(billing.show, { params: shop.params })
  expect(shown.billedThrough).not.toBeNull()
  expect((await shop.quote(big)).due).toBeGreaterThan(0)
  expect(await shop.balance()).toBe(-9_990)
  await release()
})

/** Another transaction holds the subscription until the answer is called. */
async function lockedSubscription({ companyId }: Company) {
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const over = app.platform.scopes.inCompany(companyId).transaction(async tx => {
    await openSubscription(tx)
    held.resolve()
    await release.promise
  })
  await held.promise
  return () => {
    release.resolve()
    return over
  }
}

test('a plan without a price by the month is assigned by its shortest period that has one', async () => {
  const yearly = await plan({ value12Months: 25_000 })
  const shop = await company(yearly, 0)
  expect((await shop.list()).map(({ value, recurrence }) => [value, recurrence])).toEqual([[300_000, 12]])
})

test('a statement adds up beyond four bytes, and leaves out refunds of voided payments', async () => {
  const shop = await company()
  const { companyId } = shop
  await app.database.script(`insert into payments (company_id, source, value, paid_on)
    select ${companyId}, 'credit', 1000000000, '${today}' from generate_series(1, 4);
    with gone as (insert into payments (company_id, source, value, paid_on, voided_at)
      values (${companyId}, 'manual', 500, '${today}', now()) returning id)
    insert into payment_refunds (company_id, payment_id, value) select ${companyId}, id, 500 from gone`)
  expect(await shop.balance()).toBe(4_000_000_000 - 9_990)
})

test('a manual payment that is voided is owed again by every invoice that it paid', async () => {
  const shop = await company()
  const [first] = await shop.list()
  const params = { invoiceId: first!.id }
  await master.get(invoices.pay, { params, body: { payDate: today, valueBrl: '150,00' } })
  const second = await master.get(invoices.create, {
    params: { planId: shop.planId },
    body: {
      ...{ startInvoicePeriod: '2030-01-01', endInvoicePeriod: '2030-01-31', dueDate: '2030-01-10' },
      ...{ valueBrl: '50,00', billingType: 'PIX', recurrence: 1 },
    },
  })
  expect(second.state).toBe('paid')
  await master.get(invoices.pay, { params, body: { payDate: null } })
  expect((await shop.list()).map(({ state, paidValue }) => [state, paidValue])).toEqual([
    ['open', 0],
    ['open', 0],
  ])
  expect(await shop.balance()).toBe(-9_990 - 5_000)
})
