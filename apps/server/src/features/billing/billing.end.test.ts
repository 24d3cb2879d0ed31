import { billing } from '@balcao/contract/billing.ts'
import { clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { plans } from '@balcao/contract/plans.ts'
import { revenue } from '@balcao/contract/revenue.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { billAll } from '../invoices/invoices.jobs.ts'
import { endDue } from './billing.end.actions.ts'

let app: TestApp
let master: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
const bill = (day: string) =>
  billAll(app.platform.scopes, app.platform.config, new Date(`${day}T12:00:00-03:00`))

/** A company that was billed first some days ago. */
async function company(began: number) {
  const email = `${unique()}@cliente.test`
  const body = { name: 'Cliente', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const plan = await master.get(plans.create, { body: { name: `Plano ${unique()}`, value1Month: 9_990 } })
  const own = await master.get(plans.assign, { params: { companyId, planId: plan.id } })
  await bill(daysFrom(today, -began))
  const params = { companyId }
  const dona = await app.as(email)
  const list = async () => (await dona.get(invoices.list, { params: { planId: own.id } })).list.toReversed()
  const pay = async (at: number) =>
    master.get(invoices.pay, { params: { invoiceId: (await list())[at]!.id }, body: { payDate: today } })
  return {
    companyId,
    planId: own.id,
    params,
    dona,
    list,
    pay,
    show: () => dona.get(billing.show, { params }),
  }
}

const stateOf = async (name: 'risk' | 'lapsed' | 'paying', companyId: number) => {
  const { rows } = await master.get(revenue.subscribers, { query: { state: name } })
  return rows.some(({ id }) => id === companyId)
}

test('who pays none of two periods is not billed any more and counts as lost, until a master bills again, or one is paid', async () => {
  const shop = await company(80)
  await bill(daysFrom(today, -55))
  expect(await stateOf('risk', shop.companyId)).toBe(false)
  await bill(daysFrom(today, -20))
  await bill(today)
  expect(await shop.list()).toHaveLength(2)
  const { unpaidSince, nextInvoice } = await shop.show()
  expect([unpaidSince! <= today, nextInvoice]).toEqual([true, null])
  expect(await stateOf('lapsed', shop.companyId)).toBe(true)

  // a company does not take itself up without paying
  expect((await shop.dona.call(billing.takeUp, { params: shop.params })).body.error).toBe('ERR_PLAN_SAME')
  expect(await master.get(billing.takeUp, { params: shop.params })).toMatchObject({ unpaidSince: null })
  expect((await shop.list()).map(one => one.startInvoicePeriod).at(-1)).toBe(today)

  const other = await company(80)
  await bill(daysFrom(today, -55))
  await bill(today)
  await other.pay(0)
  await bill(today)
  expect((await other.list()).map(one => one.startInvoicePeriod).at(-1)).toBe(today)
})

test('a subscription ends on the last day that is paid: nothing is billed behind it, and then the company is switched off', async () => {
  const shop = await company(25)
  await shop.pay(0)
  await bill(today)
  const [current, ahead] = await shop.list()
  const end = (who: Person) => who.call(billing.end, { params: shop.params, body: { reason: 'Fechamos' } })
  expect([(await end(shop.dona)).status, (await end(stranger)).status]).toEqual([403, 404])
  await master.get(companies.changeSetting, {
    params: { settingKey: 'customersEnd' },
    body: { value: 'enabled' },
  })
  expect(await shop.show()).toMatchObject({ mayEnd: true, paidThrough: current!.endInvoicePeriod })
  expect((await end(shop.dona)).body).toMatchObject({
    ...{ endsOn: current!.endInvoicePeriod, endReason: 'Fechamos', nextInvoice: null },
  })
  expect((await shop.list())[1]).toMatchObject({ id: ahead!.id, state: 'cancelled', cancelReason: 'ended' })

  // withdrawn, and ended again
  await shop.dona.get(billing.goOn, { params: shop.params })
  expect((await shop.list()).at(-1)).toMatchObject({
    state: 'open',
    startInvoicePeriod: ahead!.startInvoicePeriod,
  })
  await end(shop.dona)
  const last = current!.endInvoicePeriod
  const endOn = (day: string) =>
    endDue(app.platform.scopes, new Date(`${day}T12:00:00-03:00`), 'America/Sao_Paulo')
  const isOn = async () => (await master.get(clients.show, { params: shop.params })).status === 1
  await endOn(last)
  expect(await isOn()).toBe(true)
  await endOn(daysFrom(last, 1))
  expect(await isOn()).toBe(false)
  await bill(daysFrom(last, 40))
  const { list } = await master.get(invoices.list, { params: { planId: shop.planId } })
  expect(list.filter(({ state }) => state !== 'cancelled')).toHaveLength(1)
})

test('in a period that is not paid a subscription ends today, and asks for the days until then; the plan does not change any more', async () => {
  const shop = await company(9)
  const [whole] = await shop.list()
  const end = () => master.get(billing.end, { params: shop.params, body: { reason: 'Fechamos' } })
  expect(await end()).toMatchObject({ endsOn: today, billedThrough: today, nextInvoice: null })
  const [first] = await shop.list()
  expect(first!.value).toBeLessThan(whole!.value / 2)
  const plan = await master.get(plans.create, { body: { name: `Plano ${unique()}`, value1Month: 19_990 } })
  const query = { planId: plan.id, recurrence: 'month1' as const, when: 'now' as const }
  const refused = await shop.dona.call(billing.quote, { params: shop.params, query })
  expect([refused.status, refused.body.error]).toEqual([409, 'ERR_SUBSCRIPTION_ENDED'])
  await master.get(billing.goOn, { params: shop.params })
  expect((await shop.list()).map(one => [one.startInvoicePeriod, one.value])).toEqual([
    [first!.startInvoicePeriod, first!.value],
    [daysFrom(today, 1), 9_990],
  ])
})

test('a company that a master switches on after its last day stays on, and is billed from that day', async () => {
  const shop = await company(9)
  await master.get(billing.end, { params: shop.params, body: { reason: 'Fechamos' } })
  const last = daysFrom(today, -3)
  await app.database.script(`update invoices set released_from = '${daysFrom(last, 1)}' where company_id = ${shop.companyId};
    update subscriptions set ends_on = '${last}', billed_through = '${last}' where company_id = ${shop.companyId}`)
  const endNow = () => endDue(app.platform.scopes, new Date(), 'America/Sao_Paulo')
  const change = async (status: 0 | 1) =>
    (await master.get(clients.change, { params: shop.params, body: { status } })).status
  await endNow()
  expect((await master.get(clients.show, { params: shop.params })).status).toBe(0)
  expect(await change(1)).toBe(1)
  await endNow()
  await bill(today)
  expect((await master.get(clients.show, { params: shop.params })).status).toBe(1)
  expect(await shop.show()).toMatchObject({ endsOn: null, endReason: '' })
  expect((await shop.list()).at(-1)).toMatchObject({ startInvoicePeriod: today })
  // an end that is to come stays
  await master.get(billing.end, { params: shop.params, body: { reason: 'Fechamos' } })
  expect([await change(0), await change(1)]).toEqual([0, 1])
  expect(await shop.show()).toMatchObject({ endsOn: today })
})

test('a first day of billing shows what it makes at once; many invoices are asked for by their number', async () => {
  const shop = await company(0)
  await app.database.script(`delete from invoices where company_id = ${shop.companyId};
    update subscriptions set billed_through = null, anchor = null where company_id = ${shop.companyId}`)
  const billedFrom = daysFrom(today, -100)
  const start = await master.get(billing.start, { params: shop.params, query: { billedFrom } })
  expect(start).toMatchObject({ from: billedFrom, value: start.count * 9_990 })
  expect(start.count).toBeGreaterThan(2)
  const refused = await master.call(billing.change, { params: shop.params, body: { billedFrom } })
  expect([refused.status, refused.body.field]).toEqual([400, 'invoices'])
  expect(await shop.list()).toEqual([])
  await master.get(billing.change, { params: shop.params, body: { billedFrom, invoices: start.count } })
  expect((await shop.list()).length).toBeLessThanOrEqual(start.count)
  expect((await shop.list())[0]!.startInvoicePeriod).toBe(billedFrom)
})

test('what is too much is credit that a master sees and takes back; money of another century is refused', async () => {
  const shop = await company(0)
  const [first] = await shop.list()
  const params = { invoiceId: first!.id }
  const wrong = await master.call(invoices.pay, { params, body: { payDate: '1926-01-05' } })
  expect([wrong.status, wrong.body.field]).toEqual([400, 'payDate'])
  const body = { payDate: today, valueBrl: '150,00', paidValue: 0 }
  await master.get(invoices.pay, { params, body })
  await master.get(invoices.pay, { params, body })
  const changed = await master.call(invoices.pay, { params, body: { ...body, valueBrl: '1,00' } })
  expect(changed.body.error).toBe('ERR_CHANGED_MEANWHILE')
  const credits = async () => (await master.get(payments.credits, { params: shop.params })).payments
  const [credit] = await credits()
  expect(await credits()).toMatchObject([{ value: 15_000, freeValue: 5_010 }])
  expect((await shop.dona.call(payments.credits, { params: shop.params })).status).toBe(403)
  await master.get(payments.undo, { params: { paymentId: credit!.id } })
  expect(await credits()).toEqual([])
  expect(await shop.list()).toMatchObject([{ state: 'open', paidValue: 0 }])
})
