import { randomUUID } from 'node:crypto'
import { billing } from '@balcao/contract/billing.ts'
import { clients } from '@balcao/contract/clients.ts'
import { companies } from '@balcao/contract/companies.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { leads } from '@balcao/contract/leads.ts'
import { payments } from '@balcao/contract/payments.ts'
import { plans } from '@balcao/contract/plans.ts'
import { pricing } from '@balcao/contract/pricing.ts'
import { revenue } from '@balcao/contract/revenue.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSoundLedger } from '../../../testing/ledger.ts'
import { unique } from '../../../testing/rows.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { billAll } from '../invoices/invoices.jobs.ts'
import { notifyOfReviews } from '../payments/payments.notify.actions.ts'
import { applyReadjustments } from './pricing.actions.ts'

let office: PostOffice
let app: TestApp
let master: Person
let stranger: Person
beforeAll(async () => {
  office = await openPostOffice()
  app = await openTestApp(office.env)
  master = await app.as('master@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(async () => {
  await app.close()
  await office.close()
})

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
const at = (day: string) => new Date(`${day}T12:00:00-03:00`)
const bill = (day: string) => billAll(app.platform.scopes, app.platform.config, at(day))

/** A company that is billed 100,00 a month from today. */
async function company() {
  const email = `${unique()}@cliente.test`
  const body = { name: 'Cliente', email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  const plan = await master.get(plans.create, { body: { name: `Plano ${unique()}`, value1Month: 10_000 } })
  const own = await master.get(plans.assign, { params: { companyId, planId: plan.id } })
  const params = { companyId }
  const dona = await app.as(email)
  const list = async () => (await dona.get(invoices.list, { params: { planId: own.id } })).list.toReversed()
  const periods = async () => (await list()).filter(one => one.description === '')
  const payAll = async () => {
    for (const { id, state } of await list())
      if (state === 'open')
        await master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: today } })
  }
  const isSound = () => expectSoundLedger(app.platform.scopes.platform(), companyId, () => true)
  return { companyId, planId: own.id, params, email, dona, list, periods, payAll, isSound }
}

const charge = { description: 'Instalação', valueBrl: '350,00', dueDate: daysFrom(today, 5) }

test('a charge, a discount, an invoice and a refund that are pressed twice, or at once, are carried out once', async () => {
  const shop = await company()
  await bill(today)
  const twice = async (call: (requestId: string) => Promise<{ status: number }>) => {
    const requestId = randomUUID()
    const answers = [...(await Promise.all([call(requestId), call(requestId)])), await call(requestId)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    return requestId
  }
  const body = (requestId: string) => ({ ...charge, requestId })
  const charged = await twice(id => master.call(pricing.charge, { params: shop.params, body: body(id) }))
  const other = { ...body(charged), valueBrl: '35,00' }
  const changed = await master.call(pricing.charge, { params: shop.params, body: other })
  expect([changed.status, changed.body]).toMatchObject([409, { error: 'ERR_CHANGED_MEANWHILE' }])
  const discount = { percent: 10, periods: 2, reason: 'Cortesia' }
  await twice(requestId =>
    master.call(pricing.discount, { params: shop.params, body: { ...discount, requestId } }),
  )
  expect((await shop.dona.get(pricing.show, { params: shop.params })).discounts).toHaveLength(1)
  const days = { startInvoicePeriod: today, endInvoicePeriod: today, dueDate: today }
  const added = { ...days, valueBrl: '20,00', billingType: 'PIX' as const, recurrence: 1 as const }
  const params = { planId: shop.planId }
  await twice(requestId => master.call(invoices.create, { params, body: { ...added, requestId } }))
  expect((await shop.list()).map(({ value }) => value).toSorted()).toEqual([10_000, 2_000, 35_000].toSorted())
  await shop.payAll()
  const [paid] = await shop.periods()
  const back = { reason: 'Cortesia', valueBrl: '30,00', isGift: true }
  const invoice = { invoiceId: paid!.id }
  await twice(requestId =>
    master.call(payments.refundInvoice, { params: invoice, body: { ...back, requestId } }),
  )
  const after = (await shop.list()).find(({ id }) => id === paid!.id)
  expect(after).toMatchObject({ value: 7_000, paidValue: 7_000 })
  await shop.isSound()
})

test('a one-off charge pays no day, is told apart in lists, totals and statement, and counts in no month', async () => {
  const shop = await company()
  const mrr = async () => (await master.get(revenue.months, { query: {} })).months[0]!.mrr.value
  await bill(today)
  const before = await mrr()
  const made = await master.get(pricing.charge, { params: shop.params, body: charge })
  expect(made).toMatchObject({ description: 'Instalação', value: 35_000, state: 'open', isAutomatic: false })
  expect(await mrr()).toBe(before)
  await bill(daysFrom(today, 25))
  expect((await shop.periods()).map(({ value }) => value)).toEqual([10_000, 10_000])
  const query = { companyId: shop.companyId, kind: 'oneOff' as const }
  const { rows } = await master.get(revenue.invoices, { query })
  expect(rows.map(({ id }) => id)).toEqual([made.id])
  expect(await master.get(revenue.invoiceTotals, { query })).toMatchObject({
    overdue: { count: 1, value: 35_000 },
  })
  const { lines } = await shop.dona.get(payments.statement, { params: shop.params })
  expect(lines.filter(({ text }) => text === 'Instalação').map(({ value }) => value)).toEqual([-35_000])
  // a change of plan at once ends periods, and leaves it as it is
  const other = await master.get(plans.create, { body: { name: `Outro ${unique()}`, value1Month: 20_000 } })
  const wanted = { planId: other.id, recurrence: 'month1' as const, when: 'now' as const }
  const { due } = await shop.dona.get(billing.quote, { params: shop.params, query: wanted })
  await master.get(billing.changePlan, { params: shop.params, body: { ...wanted, due } })
  expect((await shop.list()).find(({ id }) => id === made.id)).toMatchObject({ value: 35_000, state: 'open' })
  await shop.isSound()
  const paid = await master.get(invoices.pay, { params: { invoiceId: made.id }, body: { payDate: today } })
  expect(paid).toMatchObject({ state: 'paid', paidValue: 35_000 })
})

test('of another company nothing is shown, and only a master charges, discounts and readjusts', async () => {
  const shop = await company()
  const answers = [
    await stranger.call(pricing.show, { params: shop.params }),
    await shop.dona.call(pricing.charge, { params: shop.params, body: charge }),
    await shop.dona.call(pricing.discount, {
      params: shop.params,
      body: { percent: 10, periods: 1, reason: 'Eu mesma' },
    }),
    await master.call(pricing.charge, {
      params: shop.params,
      body: { ...charge, dueDate: daysFrom(today, -1) },
    }),
    await master.call(pricing.discount, { params: shop.params, body: { periods: 1, reason: 'Nada' } }),
  ]
  expect(answers.map(({ status, body }) => [status, body.field])).toEqual([
    [404, undefined],
    [403, undefined],
    [403, undefined],
    [400, 'dueDate'],
    [400, 'percent'],
  ])
})

test('a discount reduces so many periods, also where one of them is cancelled and billed anew, until a master ends it', async () => {
  const shop = await company()
  const body = { percent: 10, periods: 2, reason: 'Fidelidade' }
  await master.get(pricing.discount, { params: shop.params, body })
  expect((await shop.dona.get(billing.show, { params: shop.params })).nextInvoice).toMatchObject({
    value: 9_000,
  })
  await bill(today)
  await bill(daysFrom(today, 25))
  // the invoice ahead is cancelled, and made anew by the withdrawal of a change
  const other = await master.get(plans.create, { body: { name: `Outro ${unique()}`, value1Month: 20_000 } })
  const wanted = { planId: other.id, recurrence: 'month1' as const, when: 'next' as const }
  const { due } = await shop.dona.get(billing.quote, { params: shop.params, query: wanted })
  await shop.dona.get(billing.changePlan, { params: shop.params, body: { ...wanted, due } })
  await shop.dona.get(billing.keepPlan, { params: shop.params })
  await bill(daysFrom(today, 25))
  await shop.payAll()
  await bill(daysFrom(today, 55))
  const counted = (await shop.periods()).filter(({ state }) => state !== 'cancelled')
  expect(counted.map(({ value, discountValue }) => [value, discountValue])).toEqual([
    [9_000, 1_000],
    [9_000, 1_000],
    [10_000, 0],
  ])
  const { discounts } = await shop.dona.get(pricing.show, { params: shop.params })
  expect(discounts).toMatchObject([{ percent: 10, periods: 2, used: 2, isOpen: false }])
  await shop.isSound()

  await master.get(pricing.discount, {
    params: shop.params,
    body: { valueBrl: '30,00', periods: 5, reason: 'Falha' },
  })
  const [given] = (await master.get(pricing.show, { params: shop.params })).discounts
  const params = { ...shop.params, discountId: given!.id }
  expect((await master.get(pricing.endDiscount, { params })).discounts[0]).toMatchObject({ isOpen: false })
  expect((await master.call(pricing.endDiscount, { params })).status).toBe(404)
})

test('a coupon gives its discount to so many sign-ups, and none after it is closed', async () => {
  const code = `promo-${unique()}`.slice(0, 30)
  const coupon = await master.get(pricing.addCoupon, { body: { code, percent: 50, periods: 3, mostUses: 1 } })
  expect(coupon).toMatchObject({ code: code.toUpperCase(), uses: 0, isOpen: true })
  const again = await master.call(pricing.addCoupon, {
    body: { code: code.toUpperCase(), percent: 5, periods: 1 },
  })
  expect([again.status, again.body.error]).toEqual([409, 'ERR_NAME_EXISTS'])
  const ask = (given: object) =>
    app.anonymous.call(leads.create, {
      body: { name: 'Ana', email: `${unique()}@loja.test`, whatsAppNumber: '+55 11 99999-0000', ...given },
    })
  const email = `${unique()}@loja.test`
  expect((await app.anonymous.get(pricing.offered, { params: { code } })).percent).toBe(50)
  expect((await ask({ email, coupon: code })).status).toBe(200)
  // the same person asks again, for the link
  expect((await ask({ email, coupon: code })).status).toBe(200)
  // the open sign-up holds it
  expect((await ask({ coupon: code })).body).toMatchObject({ error: 'ERR_COUPON_OVER', field: 'coupon' })
  const { text } = await office.letterTo(email)
  const leadId = /\/subscription\/([\w.-]+)/.exec(text)![1]!
  await app.anonymous.get(leads.complete, {
    body: { leadId, documentNumber: '11.222.333/0001-81', name: 'Loja da Ana' },
  })
  const found = (await master.get(clients.list, { query: { searchParam: email } })).companies[0]!
  const { discounts } = await master.get(pricing.show, { params: { companyId: found.id } })
  expect(discounts).toMatchObject([{ percent: 50, periods: 3, couponCode: code.toUpperCase(), isOpen: true }])
  const open = await master.get(pricing.addCoupon, {
    body: { code: `${code}x`.slice(-30), valueBrl: '5,00', periods: 1 },
  })
  await master.get(pricing.closeCoupon, { params: { couponId: open.id } })
  expect((await app.anonymous.call(pricing.offered, { params: { code: open.code } })).status).toBe(409)
  expect((await ask({ coupon: 'nenhum' })).status).toBe(409)
})

test('a readjustment is announced 30 days before, and raises the first period that begins after its day', async () => {
  const shop = await company()
  await bill(today)
  const readjust = (from: string, percent = '5,25') =>
    master.call(pricing.readjust, { params: shop.params, body: { percent, from, reason: 'IPCA' } })
  expect((await readjust(daysFrom(today, 29))).body).toMatchObject({ field: 'from' })
  expect((await readjust(daysFrom(today, 40), '0')).body).toMatchObject({ field: 'percent' })
  const day = daysFrom(today, 40)
  expect((await readjust(day)).status).toBe(200)
  const { text } = await office.letterTo(shop.email)
  expect(text).toContain('5,25 % (IPCA)')
  const [told] = (await shop.dona.get(pricing.show, { params: shop.params })).readjustments
  expect(told).toMatchObject({ rate: 525, from: day, isApplied: false })
  for (const passed of [25, 41, 55, 85]) {
    const writing = { ...(await billingNow(app.platform)), now: at(daysFrom(today, passed)) }
    await applyReadjustments(app.platform.scopes, writing)
    await bill(daysFrom(today, passed))
    await shop.payAll()
  }
  const values = (await shop.periods()).map(one => [one.startInvoicePeriod > day, one.value])
  expect(values.filter(([isAfter]) => !isAfter).every(([, value]) => value === 10_000)).toBe(true)
  expect(values.filter(([isAfter]) => isAfter).every(([, value]) => value === 10_525)).toBe(true)
  expect(values.some(([isAfter]) => isAfter)).toBe(true)
  expect((await master.get(plans.ofCompany, { params: shop.params }))[0]).toMatchObject({
    value1Month: 10_525,
  })
  expect((await master.call(pricing.withdraw, { params: shop.params })).status).toBe(404)
})

test('who pays late is asked for a fine and interest, on the day of the payment and never on a paid invoice', async () => {
  const shop = await company()
  const set = (settingKey: string, value: string) =>
    master.call(companies.changeSetting, { params: { settingKey }, body: { value } })
  expect((await set('lateFine', '11')).status).toBe(400)
  await set('lateFine', '2')
  await set('lateInterest', '1')
  try {
    await bill(daysFrom(today, -30))
    await bill(today)
    const [first] = await shop.periods()
    const invoiceId = first!.id
    // 2 % once, and 1 % for 30 days
    expect(first).toMatchObject({ value: 10_000, lateValue: 0, lateToday: 300, status: 'OVERDUE' })
    const params = { invoiceId }
    const paid = await master.get(invoices.pay, { params, body: { payDate: today, valueBrl: '103,00' } })
    expect(paid).toMatchObject({
      value: 10_300,
      lateValue: 300,
      lateToday: 0,
      paidValue: 10_300,
      state: 'paid',
    })
    const { lines, balance } = await shop.dona.get(payments.statement, { params: shop.params })
    expect(lines.filter(({ kind }) => kind === 'late').map(({ value }) => value)).toEqual([-300])
    await shop.isSound()
    // taken back, it is asked for anew; who pays without it owes none
    const back = await master.get(invoices.pay, { params, body: { payDate: null } })
    expect(back).toMatchObject({ value: 10_000, lateValue: 0, lateToday: 300, state: 'open' })
    const bare = await master.get(invoices.pay, { params, body: { payDate: today, valueBrl: '100,00' } })
    expect(bare).toMatchObject({ value: 10_000, lateValue: 0, lateToday: 0, state: 'paid' })
    const after = await shop.dona.get(payments.statement, { params: shop.params })
    expect(after.balance).toBe(balance)
    await shop.isSound()
  } finally {
    await set('lateFine', '0')
    await set('lateInterest', '0')
  }
})

test('a company is written to when it is suspended, and when it is back; masters when a payment waits for them', async () => {
  const shop = await company()
  await bill(daysFrom(today, -10))
  const grace = (value: string) =>
    master.get(companies.changeSetting, { params: { settingKey: 'graceDays' }, body: { value } })
  try {
    await bill(today)
    await grace('3')
    await until(async () => subjects(shop.email).includes('Atendimento suspenso por fatura vencida'))
    await shop.payAll()
    await until(async () => subjects(shop.email).includes('Atendimento restabelecido'))
  } finally {
    await grace('0')
  }
  await app.database.script(`insert into payments (company_id, source, value, paid_on, review, provider, provider_id)
    values (${shop.companyId}, 'provider', 500, '${today}', 'twice', 'asaas', 'pay_${unique()}')`)
  await notifyOfReviews(app.platform.scopes)
  await notifyOfReviews(app.platform.scopes)
  await until(async () => subjects('master@balcao.test').includes('Um recebimento a conferir'))
  expect(subjects('master@balcao.test').filter(one => one.includes('a conferir'))).toHaveLength(1)
})

const subjects = (address: string) =>
  office.letters.filter(({ to }) => to === address).map(({ subject }) => subject)
