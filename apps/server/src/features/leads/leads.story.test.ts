import { type AsaasServer, startAsaasServer } from '@balcao/asaas-server/server.ts'
import { accounts } from '@balcao/contract/accounts.ts'
import { billing } from '@balcao/contract/billing.ts'
import { companies } from '@balcao/contract/companies.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { leads } from '@balcao/contract/leads.ts'
import { payments } from '@balcao/contract/payments.ts'
import { plans } from '@balcao/contract/plans.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendAllDueNotices } from '../../../testing/due-notices.ts'
import { unique } from '../../../testing/rows.ts'
import { openPostOffice, type PostOffice } from '../../../testing/smtp.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { remindAll } from '../billingNotices/billingNotices.reminders.actions.ts'
import { billAll } from '../invoices/invoices.jobs.ts'

const TOKEN = 'segredo-do-webhook-com-32-caracteres'
let asaas: AsaasServer
let office: PostOffice
let app: TestApp
let master: Person
beforeAll(async () => {
  asaas = await startAsaasServer({ webhooks: { pauses: [0] } })
  office = await openPostOffice()
  app = await openTestApp({
    ...{ ...office.env, OUTBOUND_ALLOW: '127.0.0.1' },
    ...{ ASAAS_URL: asaas.url, ASAAS_TOKEN: asaas.token, ASAAS_WEBHOOK_TOKEN: TOKEN },
  })
  asaas.webhooks.tell(`${app.url}/payments/asaas`, TOKEN)
  master = await app.as('master@balcao.test')
  await master.get(companies.changeSetting, { params: { settingKey: 'graceDays' }, body: { value: '3' } })
})
afterAll(async () => {
  await app.close()
  await asaas.close()
  await office.close()
})

const PASSWORD = 'balcao-demo'
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()

/** Signs up by the store for a plan of the operator; what happens to that company, by days since. */
async function newcomer(offered: object = {}) {
  const body = { name: `Plano ${unique()}`, value1Month: 9_900, ...offered }
  const { id: planId } = await master.get(plans.create, { body })
  const email = `ana${unique()}@loja.test`
  const asked = { name: 'Ana Prado', email, whatsAppNumber: '5511999990000', planId }
  await app.anonymous.get(leads.create, { body: { ...asked, recurrence: 'month1' } })
  const leadId = /subscription\/([\w.-]+)/.exec((await office.letterTo(email)).text)![1]!
  const company = { leadId, documentNumber: '11.222.333/0001-81', name: 'Loja da Ana' }
  const contacts = [{ contactName: 'Ana', email }]
  await app.anonymous.get(leads.complete, { body: { ...company, contacts } })
  const { token } = await office.letterTo(email, 1)
  await app.anonymous.get(accounts.reset, { body: { token, password: PASSWORD } })
  const ana = await app.as(email)
  const { companyId } = ana.user
  const own = (await master.get(plans.ofCompany, { params: { companyId } }))[0]!
  const at = (days: number) => new Date(`${daysFrom(today(), days)}T15:00:00Z`)
  return {
    ...{ ana, email, companyId, planId: own.id },
    /** All scheduled work of that day. */
    async live(days: number) {
      await billAll(app.platform.scopes, app.platform.config, at(days))
      await remindAll(app.platform.scopes, at(days))
      await sendAllDueNotices(app.platform, at(days))
    },
    day: (days: number) => daysFrom(today(), days),
    invoices: async () => (await ana.get(invoices.list, { params: { planId: own.id } })).list.toReversed(),
    subjects: () =>
      office.letters
        .filter(({ to }) => to === email)
        .map(({ subject }) => subject)
        .slice(2),
    state: async () => (await ana.get(users.show, { params: { userId: ana.user.id } })).company,
    subscription: () => ana.get(billing.show, { params: { companyId } }),
  }
}
type Newcomer = Awaited<ReturnType<typeof newcomer>>

/** Pays the newest invoice at the provider, which receives it a moment after it is made; answers the provider’s id of the payment. */
async function pays(who: Newcomer) {
  const open = await until(async () => {
    const newest = (await who.invoices()).at(-1)
    return newest?.paymentLink ? newest : null
  }, 20_000)
  const { id } = asaas.payments.find(({ invoiceUrl }) => invoiceUrl === open.paymentLink)!
  asaas.pay(id)
  await until(
    async () => (await who.invoices()).find(({ id }) => id === open.id)!.status === 'RECEIVED',
    20_000,
  )
  return id
}

test('who comes by the store is tried, invoiced, reminded, pays by PIX, is suspended, pays and is back [LEAD-020, INVOICE-011, OP-121]', async () => {
  const shop = await newcomer()
  await shop.live(4)
  expect(await shop.invoices()).toEqual([])
  expect(await shop.subscription()).toMatchObject({
    ...{ isAutomatic: true, trialEndsOn: shop.day(15), isResting: false },
    nextInvoice: { start: shop.day(15), issuedOn: shop.day(5), valueBrl: 'R$ 99,00' },
  })
  await shop.live(5)
  expect(await shop.invoices()).toMatchObject([
    { status: 'PENDING', startInvoicePeriod: shop.day(15), dueDate: shop.day(15), pixCode: '' },
  ])
  for (const days of [11, 12, 13, 14]) await shop.live(days)
  const due = shop.day(15).split('-').toReversed().join('/')
  await until(() => shop.subjects().length === 4, 20_000)
  expect(shop.subjects().toSorted()).toEqual(
    [
      `Fatura de R$ 99,00 com vencimento em ${due}`,
      `Lembrete: fatura de R$ 99,00 vence em ${due}`,
      `O teste grátis termina em ${due}`,
      'O teste grátis termina amanhã',
    ].toSorted(),
  )
  await pays(shop)
  await until(() => shop.subjects().includes('Recebemos o pagamento de R$ 99,00'), 20_000)
  await shop.live(15)
  expect(await shop.state()).toMatchObject({ suspended: false })

  const [, next] = await until(async () => {
    await shop.live(40)
    const all = await shop.invoices()
    return all.length === 2 && all
  })
  const late = (days: number) =>
    Math.round((Date.parse(next!.dueDate) - Date.parse(shop.day(0))) / 86_400_000) + days
  await shop.live(late(1))
  expect(await shop.state()).toMatchObject({ suspended: false, payBy: daysFrom(next!.dueDate, 3) })
  await until(() => shop.subjects().some(subject => subject.includes('venceu em')), 20_000)
  await shop.live(late(4))
  expect(await shop.state()).toMatchObject({ suspended: true })
  await pays(shop)
  await until(async () => !(await shop.state()).suspended, 5_000)
}, 120_000)

test('a trial is prolonged by a master alone, and the invoice that was made for its end moves with it', async () => {
  const shop = await newcomer()
  await shop.live(6)
  const prolong = (who: Person, trialEndsOn: string) =>
    who.call(billing.change, { params: { companyId: shop.companyId }, body: { trialEndsOn } })
  expect((await prolong(shop.ana, shop.day(30))).status).toBe(403)
  const { body } = await prolong(master, shop.day(30))
  expect(body).toMatchObject({ trialEndsOn: shop.day(30), nextInvoice: { start: shop.day(30) } })
  expect(await shop.invoices()).toMatchObject([{ state: 'cancelled', cancelReason: 'trialExtended' }])
  await shop.live(14)
  expect(shop.subjects().filter(subject => subject.includes('teste'))).toEqual([])
  await shop.live(20)
  expect(await shop.invoices()).toMatchObject([{ state: 'cancelled' }, { startInvoicePeriod: shop.day(30) }])
  await pays(shop)
  const paid = await prolong(master, shop.day(40))
  expect([paid.status, paid.body.field]).toEqual([400, 'trialEndsOn'])
}, 60_000)

test('where the plan lets it rest nothing leaves after the trial until the plan is taken up and paid', async () => {
  const shop = await newcomer({ restsAfterTrial: true })
  await shop.live(10)
  expect(await shop.subscription()).toMatchObject({ isResting: false, nextInvoice: null })
  await shop.live(15)
  expect(await shop.invoices()).toEqual([])
  expect(await shop.state()).toMatchObject({ suspended: true, payBy: null })
  // it signed up sixteen days ago
  await app.database.script(
    `update companies set created_at = created_at - interval '16 days' where id = ${shop.companyId}`,
  )
  expect(await shop.subscription()).toMatchObject({ isResting: true })
  const params = { companyId: shop.companyId }
  const stranger = await app.as('admin@outra.test')
  expect((await stranger.call(billing.takeUp, { params })).status).toBe(404)
  expect(await shop.ana.get(billing.takeUp, { params })).toMatchObject({ isResting: false })
  expect(await shop.invoices()).toMatchObject([{ startInvoicePeriod: today(), dueDate: today() }])
  expect((await shop.ana.call(billing.takeUp, { params })).body.error).toBe('ERR_PLAN_SAME')
  expect(await shop.state()).toMatchObject({ suspended: true })
  await pays(shop)
  await until(async () => !(await shop.state()).suspended, 5_000)
}, 60_000)

test('a company that rests after its trial and pays a manual invoice is billed for the time after it, also where the payment is given back', async () => {
  const shop = await newcomer({ restsAfterTrial: true })
  await app.database.script(
    `update companies set created_at = created_at - interval '20 days' where id = ${shop.companyId}`,
  )
  await shop.live(0)
  expect(await shop.subscription()).toMatchObject({ isResting: true })
  const days = { startInvoicePeriod: today(), endInvoicePeriod: shop.day(29), dueDate: today() }
  const body = { ...days, valueBrl: '99,00', billingType: 'PIX', recurrence: 1 } as const
  const { id: invoiceId } = await master.get(invoices.create, { params: { planId: shop.planId }, body })
  const paymentId = await pays(shop)
  expect(await shop.state()).toMatchObject({ suspended: false })
  asaas.refund(paymentId)
  await until(async () => (await shop.invoices())[0]!.state === 'refunded', 20_000)
  // while a master is asked why, nothing rests
  await shop.live(0)
  expect(await shop.state()).toMatchObject({ suspended: false })
  expect(await shop.subscription()).toMatchObject({ isResting: false })
  const waiting = (await master.get(payments.toReview)).payments.find(
    one => one.companyId === shop.companyId,
  )!
  await master.get(payments.answer, { params: { paymentId: waiting.id }, body: { isGift: false } })
  expect((await shop.invoices())[0]).toMatchObject({ state: 'open' })
  await shop.live(20)
  expect(await shop.subscription()).toMatchObject({ isResting: false })
  expect(await shop.invoices()).toMatchObject([{ id: invoiceId }, { startInvoicePeriod: shop.day(30) }])
}, 60_000)

test('a company that rests after its trial and changes its plan is billed from today, by the price that was shown', async () => {
  const shop = await newcomer({ restsAfterTrial: true })
  const params = { companyId: shop.companyId }
  // also where a master has moved the end of the trial
  await master.get(billing.change, { params, body: { trialEndsOn: shop.day(-6) } })
  await shop.live(0)
  expect(await shop.subscription()).toMatchObject({ isResting: true })
  const { id: planId } = await master.get(plans.create, {
    body: { name: `Plano ${unique()}`, value1Month: 19_900 },
  })
  const asked = { planId, recurrence: 'month1', when: 'now' } as const
  const { from, due } = await shop.ana.get(billing.quote, { params, query: asked })
  expect([from, due]).toEqual([today(), 19_900])
  const body = { ...asked, due }
  expect(await shop.ana.get(billing.changePlan, { params, body })).toMatchObject({ isResting: false })
  await shop.live(0)
  expect(await shop.invoices()).toMatchObject([{ startInvoicePeriod: today(), value: 19_900 }])
}, 60_000)
