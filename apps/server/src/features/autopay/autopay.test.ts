import { autopay } from '@balcao/contract/autopay.ts'
import { billing } from '@balcao/contract/billing.ts'
import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { payments } from '@balcao/contract/payments.ts'
import { afterAll, expect, test } from 'vitest'
import { type AutopayPayer, bills, cancelOwed, openAutopay } from '../../../testing/autopay.ts'
import { until } from '../../../testing/test-app.ts'
import { dayInBrazil } from '../../payments/payments.ts'
import { askForCharges } from '../charges/charges.listing.actions.ts'
import { endLapsedWays } from './autopay.actions.ts'

const page = await openAutopay()
const { asaas, there, scene, shown, reaches, choose, end, charge, authorizations } = page
afterAll(page.close)

/** A company that authorized PIX Automático with the payment of its first invoice. */
async function authorized(): Promise<AutopayPayer> {
  const of = await page.company()
  const first = await of.owe(3)
  await charge(of, first)
  await choose(of, 'pix')
  await reaches(of, 'waiting')
  asaas.payCode(authorizations(of)[0]!.id)
  await there.eventsDelivered()
  await reaches(of, 'active')
  return of
}

const statusOf = async (of: AutopayPayer, { id }: { id: number }) => (await of.shown(id)).status
const isDebited = ({ pixAutomaticAuthorizationId: id }: { pixAutomaticAuthorizationId: string | null }) =>
  id !== null

test('the payment of a code authorizes PIX Automático and pays the open invoice once; the next one is debited by the bank', async () => {
  const of = await page.company()
  const first = await of.owe(3)
  const ordinary = await charge(of, first)
  await choose(of, 'pix')
  const waiting = await reaches(of, 'waiting')
  const [authorization] = authorizations(of)
  expect([waiting.pixCode, waiting.value, authorization!.frequency]).toEqual([
    authorization!.payload,
    9_990,
    'MONTHLY',
  ])
  // a second tab
  await choose(of, 'pix')
  const paid = asaas.payCode(authorization!.id)
  await there.eventsDelivered()
  there.again()
  await there.eventsDelivered()
  await reaches(of, 'active')
  await until(async () => ordinary.deleted, 20_000)
  expect(await statusOf(of, first)).toBe('RECEIVED')
  const { lines } = await scene.master.get(payments.statement, { params: { companyId: of.companyId } })
  expect([lines.filter(({ kind }) => kind === 'payment').length, authorizations(of).length]).toEqual([1, 1])

  const second = await of.owe(7)
  expect((await shown(of)).autopay).toMatchObject({
    pixCode: '',
    next: { day: second.dueDate, value: 9_990 },
  })
  const debited = await charge(of, second)
  expect(debited).toMatchObject({
    ...{ pixAutomaticAuthorizationId: authorization!.id, billingType: 'PIX', dueDate: second.dueDate },
  })
  there.pay(debited.id)
  await there.eventsDelivered()
  expect([await statusOf(of, second), paid.pixQrCodeId]).toEqual([
    'RECEIVED',
    authorization!.immediateQrCode.conciliationIdentifier,
  ])
})

test('events of an authorization that are lost, late or twice change nothing: the provider is asked', async () => {
  const of = await page.company()
  const invoice = await of.owe(3)
  await charge(of, invoice)
  await choose(of, 'pix')
  await reaches(of, 'waiting')
  const [authorization] = authorizations(of)
  there.reversed(() => {
    asaas.payCode(authorization!.id)
  })
  await there.eventsDelivered()
  await reaches(of, 'active')
  expect(await statusOf(of, invoice)).toBe('RECEIVED')

  const other = await page.company()
  const owed = await other.owe(3)
  await charge(other, owed)
  await choose(other, 'pix')
  await reaches(other, 'waiting')
  asaas.webhooks.loseNext(3)
  asaas.payCode(authorizations(other)[0]!.id)
  await page.askNow(other)
  await reaches(other, 'active')
  await askForCharges(scene.app.platform, new Date())
  expect(await statusOf(other, owed)).toBe('RECEIVED')
})

test('an answer that is lost makes no second authorization, and a code is made for what is owed by then', async () => {
  const of = await page.company()
  const invoice = await of.owe(3)
  await charge(of, invoice)
  there.loseAnswer('POST /v3/pix/automatic/authorizations')
  await choose(of, 'pix')
  await until(async () => authorizations(of).length > 0)
  const asked = authorizations(of)[0]!
  await until(async () => {
    await page.app.database.script(
      `update autopay_ways set due_at = now() where company_id = ${of.companyId} and attempts > 0 and state = 'wanted'
         and due_at < now() + interval '90 seconds'`,
    )
    return (await shown(of)).autopay?.state === 'waiting'
  }, 20_000)
  expect(authorizations(of)).toEqual([asked])
  // the invoice is paid otherwise, and another one is owed
  await cancelOwed(scene, invoice.id)
  await until(async () => asked.status === 'CANCELLED', 20_000)
  expect((await reaches(of, 'wanted')).kind).toBe('pix')
  await of.owe(4, { valueBrl: '50,00' })
  expect((await reaches(of, 'waiting')).value).toBe(5_000)
  expect(authorizations(of).map(({ status }) => status)).toEqual(['CANCELLED', 'CREATED'])
})

test('a code that is not paid and a refusal of the provider are shown with the reason, and it can be chosen again', async () => {
  const of = await page.company()
  await charge(of, await of.owe(3))
  there.failNext(400, 'POST /v3/pix/automatic/authorizations')
  await choose(of, 'pix')
  expect(await reaches(of, 'ended')).toMatchObject({
    reason: 'refused',
    problem: expect.stringContaining('Asaas'),
  })
  await choose(of, 'pix')
  await reaches(of, 'waiting')
  asaas.expireCode(authorizations(of)[0]!.id)
  await there.eventsDelivered()
  expect(await reaches(of, 'ended')).toMatchObject({ reason: 'refused', pixCode: '' })
  await choose(of, 'pix')
  await reaches(of, 'waiting')
  expect((await page.letters(of)).length).toBe(0)
})

test('a debit that the bank refuses is written to who pays once, and the invoice is paid by its page', async () => {
  const of = await authorized()
  await scene.master.get(billingNotices.addContact, {
    body: { contactName: 'Rute', email: of.email, companyId: of.companyId },
  })
  const invoice = await of.owe(7)
  const debited = await charge(of, invoice)
  asaas.refuseDebit(debited.id, 'PAYMENT_OVERDUE')
  await there.eventsDelivered()
  there.again()
  await there.eventsDelivered()
  const { autopay: way } = await shown(of)
  expect(way).toMatchObject({ state: 'active', problem: 'noFunds', next: null })
  expect((await page.letters(of)).length).toBe(1)
  expect((await of.shown(invoice.id)).paymentLink).toBe(debited.invoiceUrl)
  there.pay(debited.id)
  await there.eventsDelivered()
  expect(await statusOf(of, invoice)).toBe('RECEIVED')
})

test('a debit is ordered when banks take it: earlier the charge waits, later it is an ordinary one', async () => {
  const of = await authorized()
  const [far, near] = [await of.owe(25), await of.owe(0)]
  expect(isDebited(await charge(of, near))).toBe(false)
  const rows = await page.sqlOf<{ day: string }>(
    page.tag`select to_char(due_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') as day from charges
      where invoice_id = ${far.id} and state = 'wanted' and due_at > now() + interval '1 day'`,
  )
  expect(rows).toEqual([{ day: daysFrom(far.dueDate, -10) }])
  // without the authorization nothing is waited for
  await end(of)
  expect(isDebited(await charge(of, far))).toBe(false)
})

test('what the provider refuses with an authorization is charged without', async () => {
  const of = await authorized()
  there.failNext(400, 'POST /v3/payments')
  const invoice = await of.owe(7)
  expect(isDebited(await charge(of, invoice))).toBe(false)
  expect((await of.shown(invoice.id)).paymentProblem).toBe('')
})

test('who pays ends it, and so does his bank; the operator ends it for a company and sees who pays by itself', async () => {
  const [of, other] = [await authorized(), await authorized()]
  const listed = await scene.master.get(autopay.companies)
  expect(listed.companies.map(({ companyId }) => companyId)).toEqual(
    expect.arrayContaining([of.companyId, other.companyId]),
  )
  there.failNext(500, `DELETE /v3/pix/automatic/authorizations/${authorizations(of)[0]!.id}`)
  expect((await end(of)).autopay).toMatchObject({ state: 'ended', reason: 'byCompany' })
  await until(async () => {
    await page.app.database.script(
      `update autopay_ways set due_at = now() where company_id = ${of.companyId} and state = 'ending'
         and attempts > 0 and due_at < now() + interval '90 seconds'`,
    )
    return authorizations(of)[0]!.status === 'CANCELLED'
  }, 20_000)
  asaas.endAtBank(authorizations(other)[0]!.id)
  await there.eventsDelivered()
  expect((await reaches(other, 'ended')).reason).toBe('byPayer')
  const third = await authorized()
  const params = { companyId: third.companyId }
  expect((await scene.master.get(autopay.end, { params })).autopay?.reason).toBe('byMaster')
  // another company sees and changes nothing of it
  for (const route of [autopay.show, autopay.end])
    expect((await other.payer.call(route, { params })).status).toBe(404)
  expect((await other.payer.call(autopay.choose, { params, body: { kind: 'pix' } })).status).toBe(404)
  expect((await other.payer.call(autopay.companies)).status).toBe(403)
})

test('an authorization for other periods than those of the plan ends, and who pays is written to', async () => {
  const of = await authorized()
  await scene.master.get(billingNotices.addContact, {
    body: { contactName: 'Rute', email: of.email, companyId: of.companyId },
  })
  await page.app.database.script(`update autopay_ways set months = 3 where company_id = ${of.companyId}`)
  await bills(scene, of, true)
  await scene.master.get(billing.change, {
    params: { companyId: of.companyId },
    body: { billedFrom: dayInBrazil(new Date()), invoices: 1 },
  })
  expect((await reaches(of, 'ended')).reason).toBe('frequency')
  await until(async () => authorizations(of)[0]!.status === 'CANCELLED', 20_000)
  expect((await page.letters(of)).length).toBe(1)
})

test('the authorization of a company that is paused or deleted ends at the provider', async () => {
  const [paused, deleted] = [await authorized(), await authorized()]
  await scene.master.get(billing.pause, {
    params: { companyId: paused.companyId },
    body: { from: dayInBrazil(new Date()), until: null, reason: 'Reforma' },
  })
  await endLapsedWays(scene.app.platform.scopes, scene.app.platform.config)
  const ended = [authorizations(paused)[0]!, authorizations(deleted)[0]!]
  await scene.master.get(clients.remove, { params: { companyId: deleted.companyId } })
  await until(async () => ended.every(({ status }) => status === 'CANCELLED'), 30_000)
  expect((await shown(paused)).autopay).toMatchObject({ state: 'ended', reason: 'stopped' })
})
