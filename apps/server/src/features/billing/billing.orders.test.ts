import { billing } from '@balcao/contract/billing.ts'
import { clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { companyExports } from '@balcao/contract/companyExports.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { restOf } from '@balcao/contract/ledger.rules.ts'
import { payments } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { plans } from '@balcao/contract/plans.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { applyCredit } from '../invoices/invoices.credit.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { billAll } from '../invoices/invoices.jobs.ts'
import { recordProviderPayment, recordRefunds } from '../invoices/invoices.ledger.actions.ts'
import { lockPayment } from '../invoices/invoices.ledger.queries.ts'
import { invoiceOrNull } from '../invoices/invoices.queries.ts'

let app: TestApp
let master: Person
let stranger: Person
let small: number
let big: number
let bigger: number
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  stranger = await app.as('admin@outra.test')
  small = await plan({ value1Month: 9_990, numberAttendants: 1 })
  big = await plan({ value1Month: 29_970, numberAttendants: 5 })
  bigger = await plan({ value1Month: 39_970, numberAttendants: 9 })
})
afterAll(() => app.close())

const plan = async (body: object) =>
  (await master.get(plans.create, { body: { name: `Plano ${unique()}`, ...body } })).id
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
const bill = (day: string) =>
  billAll(app.platform.scopes, app.platform.config, new Date(`${day}T12:00:00-03:00`))
const trust = (value: string) =>
  master.get(companies.changeSetting, { params: { settingKey: 'upgradeTrust' }, body: { value } })

/** A company on the small plan that was billed first ten days ago, and paid that. */
async function company() {
  const email = `${unique()}@cliente.test`
  const body = { name: 'Cliente', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const own = await master.get(plans.assign, { params: { companyId, planId: small } })
  await bill(daysFrom(today, -10))
  const params = { companyId }
  const dona = await app.as(email)
  const list = async () => (await dona.get(invoices.list, { params: { planId: own.id } })).list.toReversed()
  const pay = async (invoiceId: number) =>
    master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today } })
  await pay((await list())[0]!.id)
  const queryOf = (planId: number) => ({ planId, recurrence: 'month1' as const, when: 'now' as const })
  const quote = (who = dona, planId = big) => who.get(billing.quote, { params, query: queryOf(planId) })
  const show = () => dona.get(billing.show, { params })
  return {
    ...{ companyId, params, dona, list, pay, quote, show },
    change: async (who = dona, planId = big) => {
      const { due } = await quote(who, planId)
      return who.call(billing.changePlan, { params, body: { ...queryOf(planId), due } })
    },
    planNow: async () => (await master.get(plans.ofCompany, { params }))[0]!.numberAttendants,
    balance: async () => (await dona.get(payments.statement, { params })).balance,
    state: async () => (await dona.get(users.show, { params: { userId: dona.user.id } })).company,
  }
}

test('a dearer plan for more than the operator trusts works when its invoice is paid, and not before', async () => {
  await trust('50')
  const shop = await company()
  const asked = await shop.quote()
  expect(asked).toMatchObject({ worksWhenPaid: true })
  expect(await shop.quote(master)).toMatchObject({ worksWhenPaid: false, due: asked.due })
  const { body } = await shop.change()
  expect(body.order).toMatchObject({ due: asked.due, payBy: daysFrom(today, 5) })
  // nothing of the running period changed, and the same is asked again as if it were not ordered
  expect([await shop.planNow(), (await shop.quote()).due]).toEqual([1, asked.due])
  expect((await shop.list()).filter(({ description }) => description !== '')).toMatchObject([
    { value: asked.due, state: 'open' },
  ])

  await shop.pay(body.order!.invoiceId)
  await until(async () => (await shop.planNow()) === 5)
  await until(async () => (await shop.show()).order === null)
  const period = (await shop.list()).findLast(one => one.description === '' && one.state !== 'cancelled')
  expect(period).toMatchObject({ startInvoicePeriod: today, value: 29_970, state: 'paid' })
  expect(await shop.balance()).toBe(0)
})

test('an ordered plan is withdrawn, by who ordered it, by another change, or when its day is over; what was paid of it is credit', async () => {
  await trust('0')
  const shop = await company()
  const first = (await shop.change()).body.order!
  await shop.dona.get(billing.keepPlan, { params: shop.params })
  expect(await shop.show()).toMatchObject({ order: null, credit: 0 })
  expect((await shop.list()).find(({ id }) => id === first.invoiceId)?.state).toBe('cancelled')

  const second = (await shop.change()).body.order!
  await master.get(invoices.pay, {
    params: { invoiceId: second.invoiceId },
    body: { payDate: today, valueBrl: '20,00' },
  })
  // chosen once more it is the same order
  expect((await shop.change()).body.order).toMatchObject({
    ...{ invoiceId: second.invoiceId, due: first.due - 2_000 },
  })
  const asked = await shop.quote(shop.dona, bigger)
  const third = (await shop.change(shop.dona, bigger)).body.order!
  expect(third.invoiceId).not.toBe(second.invoiceId)
  // what was paid of the second pays the third
  expect([third.due, asked.due]).toEqual([first.due + 8_000, first.due + 8_000])
  await app.database.script(`update invoices set due_date = '2020-01-01' where id = ${third.invoiceId}`)
  await until(async () => (await shop.show()).order === null)
  expect(await shop.show()).toMatchObject({ credit: 2_000 })
  expect(await shop.planNow()).toBe(1)

  // within what is trusted, and by a master, it works at once
  await trust('')
  expect((await shop.change()).body.order).toBeNull()
  expect(await shop.planNow()).toBe(5)
  const other = await company()
  await trust('0')
  expect((await other.change(master)).body.order).toBeNull()
  expect(await other.planNow()).toBe(5)
  await trust('')
})

/** A provider reports money for an invoice. */
const collect = (companyId: number, invoiceId: number, value: number) =>
  app.platform.scopes.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const writing = await billingNow(app.platform)
    const money = { provider: 'asaas', providerId: `pay_${unique()}`, status: 'RECEIVED' as const }
    await recordProviderPayment(tx, writing, await invoiceOrNull(tx, invoiceId), {
      ...{ ...money, value, paidOn: today, receiptUrl: '' },
    })
    await applyCredit(tx, writing)
  })
const raise = (planId: number, value1Month: number) =>
  master.get(plans.change, { params: { planId }, body: { value1Month } })

test('what was ordered is what the plan becomes, also where its price on sale rises before it is paid; less than can be charged is owed', async () => {
  await trust('0')
  const planId = await plan({ value1Month: 29_970, numberAttendants: 7 })
  const shop = await company()
  const order = (await shop.change(shop.dona, planId)).body.order!
  await raise(planId, 89_970)
  await master.get(plans.change, { params: { planId }, body: { numberAttendants: 3 } })
  await shop.pay(order.invoiceId)
  await until(async () => (await shop.planNow()) === 7)
  expect((await master.get(plans.ofCompany, { params: shop.params }))[0]).toMatchObject({
    value1Month: 29_970,
  })
  expect(await shop.balance()).toBe(0)

  // asked for again at another price it is another order
  const other = await company()
  const first = (await other.change(other.dona, planId)).body.order!
  await raise(planId, 99_970)
  const second = (await other.change(other.dona, planId)).body.order!
  expect([second.invoiceId === first.invoiceId, second.due - first.due]).toEqual([false, 10_000])
  await master.get(invoices.pay, {
    params: { invoiceId: second.invoiceId },
    body: { payDate: today, valueBrl: brl(second.due - 499) },
  })
  await until(async () => (await other.planNow()) === 3)
  await until(async () => (await other.show()).order === null)
  expect(await other.balance()).toBe(-499)
  await trust('')
})

test('money that comes after the days of an order changes the plan where that is on sale as it was; else it is credit', async () => {
  await trust('0')
  const planId = await plan({ value1Month: 29_970, numberAttendants: 7 })
  const lapsed = async () => {
    const shop = await company()
    const order = (await shop.change(shop.dona, planId)).body.order!
    await app.database.script(
      `update invoices set due_date = '${daysFrom(today, -1)}' where id = ${order.invoiceId}`,
    )
    await until(async () => (await shop.show()).order === null)
    return { ...shop, order, come: (value: number) => collect(shop.companyId, order.invoiceId, value) }
  }
  const [late, part, dearer, withdrawn] = [await lapsed(), await lapsed(), await lapsed(), await lapsed()]
  await late.come(late.order.due)
  await until(async () => (await late.planNow()) === 7)
  await until(async () => (await late.list()).some(one => one.value === 29_970 && one.state === 'paid'))
  expect(await late.balance()).toBe(0)

  await withdrawn.dona.get(billing.keepPlan, { params: withdrawn.params })
  await withdrawn.come(withdrawn.order.due)
  await part.come(part.order.due - 1)
  await raise(planId, 39_970)
  await dearer.come(dearer.order.due)
  const waits = (await master.get(payments.toReview)).payments.map(one => one.companyId)
  for (const shop of [part, dearer, withdrawn]) {
    await until(async () => (await shop.show()).credit > 0)
    expect(waits).not.toContain(shop.companyId)
  }
  // its order is ended by then
  const orders = tag`select company_id from plan_orders where company_id = ${dearer.companyId}`
  const { scopes } = app.platform
  await until(async () => (await scopes.platform().transaction(sql => rowsFrom(sql, orders))).length === 0)
  expect([await part.planNow(), await dearer.planNow(), await withdrawn.planNow()]).toEqual([1, 1, 1])
  // with the credit it is chosen at the price of now
  expect(await dearer.quote(dearer.dona, planId)).toMatchObject({ value: 39_970, due: 10_000 })
  await trust('')
})

test('what is given back of an invoice has a line of its own: until a master answers, and as a gift', async () => {
  const shop = await company()
  const paymentId = await giveBack(shop.companyId, 3_000)
  const lines = async () =>
    (await shop.dona.get(payments.statement, { params: shop.params })).lines
      .filter(({ kind }) => !['invoice', 'payment', 'refund'].includes(kind))
      .map(({ kind, value }) => [kind, value])
  expect(await lines()).toEqual([['returned', 3_000]])
  await master.get(payments.answer, { params: { paymentId }, body: { isGift: true } })
  expect(await lines()).toEqual([['gift', 3_000]])
  const params = { invoiceId: (await shop.list())[0]!.id }
  const refund = (valueBrl: string) =>
    master.get(payments.refundInvoice, { params, body: { reason: 'Cortesia', valueBrl, isGift: true } })
  await refund('20,00')
  await refund('49,90')
  expect(await lines()).toEqual([
    ['gift', 4_990],
    ['gift', 2_000],
    ['gift', 3_000],
  ])
  expect([(await shop.list())[0]!.state, await shop.balance()]).toEqual(['refunded', 0])

  // the rest of a period is a reduction beside it
  await trust('')
  const other = await company()
  await giveBack(other.companyId, 3_000)
  await other.change()
  const [first] = await other.list()
  expect((await other.dona.get(payments.statement, { params: other.params })).lines).toContainEqual(
    expect.objectContaining({ kind: 'reduced', value: restOf({ ...first!, value: 9_990 }, today) }),
  )
})

test('a pause in which the service rests suspends the company as long as it lasts, and its users see why and until when', async () => {
  const shop = await company()
  const pause = (body: { from: string; until: string; reason: string; restsService?: boolean }) =>
    master.call(billing.pause, { params: shop.params, body })
  const until = daysFrom(today, 20)
  const { body } = await pause({ from: today, until, reason: 'Reforma', restsService: true })
  expect(body.pauses).toMatchObject([{ restsService: true, reason: 'Reforma' }])
  const servicePause = { until, reason: 'Reforma' }
  expect(await shop.state()).toMatchObject({ suspended: true, servicePause, payBy: null })
  // no other company is
  const { company: theirs } = await stranger.get(users.show, { params: { userId: stranger.user.id } })
  expect(theirs).toMatchObject({ suspended: false, servicePause: null })
  await bill(daysFrom(today, 19))
  expect((await shop.state()).suspended).toBe(true)
  await bill(until)
  expect(await shop.state()).toMatchObject({ suspended: false, servicePause: null })
  await bill(today)
  const params = { ...shop.params, pauseId: body.pauses[0]!.id }
  await master.get(billing.resume, { params, body: { until: today } })
  expect(await shop.state()).toMatchObject({ suspended: false, servicePause: null })

  // billing alone rests
  await pause({ from: today, until, reason: 'Férias' })
  expect(await shop.state()).toMatchObject({ suspended: false, servicePause: null })
})

test('an admin exports the own company before its subscription ends, and no other one', async () => {
  const shop = await company()
  const make = (who: Person) => who.call(companyExports.make, { params: shop.params, body: {} })
  expect((await make(stranger)).status).toBe(404)
  expect((await make(shop.dona)).body.export).toMatchObject({ state: 'making' })
  await until(
    async () => (await shop.dona.get(companyExports.show, { params: shop.params })).export?.state === 'ready',
  )
  expect((await stranger.call(companyExports.show, { params: shop.params })).status).toBe(404)
})

test('a master pays an open invoice with all the free credit of its company, once for each request', async () => {
  const [shop, other] = [await company(), await company()]
  await app.database.script(`insert into payments (company_id, source, value, paid_on)
    values (${shop.companyId}, 'manual', 3000, '${today}'), (${shop.companyId}, 'manual', 2000, '${today}')`)
  await app.database.script(`update invoices set status = 'PENDING', paid_value = 0, pay_date = null
    where company_id in (${shop.companyId}, ${other.companyId});
    delete from payment_allocations where company_id in (${shop.companyId}, ${other.companyId});
    delete from payments where company_id in (${shop.companyId}, ${other.companyId}) and value = 9990`)
  const [invoice] = await shop.list()
  const asked = { invoiceId: invoice!.id, requestId: crypto.randomUUID() }
  const apply = (body: object, params = shop.params, who = master) =>
    who.call(payments.applyCredit, { params, body: body as typeof asked })
  expect((await apply(asked, other.params)).status).toBe(404)
  expect((await apply(asked, shop.params, shop.dona)).status).toBe(403)
  const [one, two] = await Promise.all([apply(asked), apply(asked)])
  expect([one.body, two.body]).toEqual([
    { used: 5_000, usedBrl: 'R$ 50,00' },
    { used: 5_000, usedBrl: 'R$ 50,00' },
  ])
  expect((await shop.list())[0]).toMatchObject({ paidValue: 5_000, state: 'partlyPaid' })
  expect(await shop.show()).toMatchObject({ credit: 0 })
  expect((await apply({ ...asked, requestId: crypto.randomUUID() })).body.error).toBe('ERR_PAYMENT_SPENT')
  const [theirs] = await other.list()
  const none = { invoiceId: theirs!.id, requestId: crypto.randomUUID() }
  expect((await apply(none, other.params)).body.error).toBe('ERR_PAYMENT_SPENT')
  await other.pay(theirs!.id)
  expect((await apply(none, other.params)).body.error).toBe('ERR_INVOICE_NOT_PENDING')
})

/** A provider gives back by now so many cents of the newest payment of a company, without being asked here. */
async function giveBack(companyId: number, refunded: number) {
  const writing = await billingNow(app.platform)
  return app.platform.scopes.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    const [newest] = await rowsFrom<{ id: number }>(
      tx.sql,
      tag`select max(id)::int as id from payments where company_id = ${companyId}`,
    )
    await recordRefunds(tx, writing, (await lockPayment(tx, newest!.id))!, { refunded })
    return newest!.id
  })
}

const reverse = (paymentId: number) =>
  master.get(payments.answer, { params: { paymentId }, body: { isGift: false } })

test('a reversal is owed for the days that the invoice still holds: also where the plan was changed, or the service ended, before it was answered', async () => {
  await trust('')
  const used = (first: { startInvoicePeriod: string; endInvoicePeriod: string }, day: string) =>
    9_990 - restOf({ ...first, value: 9_990 }, day)
  const shop = await company()
  const paymentId = await giveBack(shop.companyId, 9_990)
  const [first] = await shop.list()
  expect(first).toMatchObject({ state: 'refunded' })
  await shop.change()
  await reverse(paymentId)
  const owed = used(first!, today)
  expect((await shop.list())[0]).toMatchObject({ id: first!.id, state: 'open', value: owed })
  expect(await shop.balance()).toBe(-owed - 29_970)

  const ended = await company()
  const other = await giveBack(ended.companyId, 9_990)
  await master.get(billing.end, { params: ended.params, body: { reason: 'Fechou' } })
  const { endsOn } = await ended.show()
  await reverse(other)
  expect(await ended.balance()).toBe(-used((await ended.list())[0]!, daysFrom(endsOn!, 1)))

  // a part of it, and the period ends before the answer
  const part = await company()
  const third = await giveBack(part.companyId, 8_000)
  await part.change()
  // what is left of the period is credit, also before the answer
  expect((await part.list()).findLast(one => one.state !== 'cancelled')).toMatchObject({
    ...{ startInvoicePeriod: today, paidValue: 1_989 },
  })
  await reverse(third)
  expect(await part.balance()).toBe(1_990 - owed - 29_970)
})

test('fine and interest that were given back after the rest are recorded, and the invoice is owed again without them', async () => {
  const shop = await company()
  const { id } = (await shop.list())[0]!
  await app.database.script(`
    update invoices set value = value + 500, late_value = 500, paid_value = paid_value + 500 where id = ${id};
    update payments set value = value + 500 where company_id = ${shop.companyId};
    update payment_allocations set value = value + 500 where invoice_id = ${id}`)
  await giveBack(shop.companyId, 10_300)
  const paymentId = await giveBack(shop.companyId, 10_490)
  expect((await shop.list())[0]).toMatchObject({ state: 'refunded' })
  await reverse(paymentId)
  expect((await shop.list())[0]).toMatchObject({ state: 'open', value: 9_990, creditedValue: 0 })
})

test('an invoice of which a part was given back is deleted, and nothing waits for an answer any more', async () => {
  const shop = await company()
  const { planId } = (await shop.list())[0]!
  const period = { startInvoicePeriod: '2030-01-01', endInvoicePeriod: '2030-01-31', dueDate: '2030-01-10' }
  const { id: invoiceId } = await master.get(invoices.create, {
    params: { planId },
    body: { ...period, valueBrl: '99,90', billingType: 'PIX', recurrence: 1 },
  })
  await master.get(invoices.pay, { params: { invoiceId }, body: { payDate: today, valueBrl: '20,00' } })
  const paymentId = await giveBack(shop.companyId, 2_000)
  const waits = async () =>
    (await master.get(payments.toReview)).payments.some(
      one => one.id === paymentId && one.review === 'returned',
    )
  expect(await waits()).toBe(true)
  // what is reported once more changes nothing
  await giveBack(shop.companyId, 0)
  expect(await waits()).toBe(true)
  await master.get(invoices.remove, { params: { invoiceId } })
  expect(await waits()).toBe(false)
})
