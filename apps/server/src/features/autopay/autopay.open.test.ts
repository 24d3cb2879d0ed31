import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { type AutopayPayer, cancelOwed, openAutopay } from '../../../testing/autopay.ts'
import { until } from '../../../testing/test-app.ts'
import { followAutopay } from '../charges/charges.debits.actions.ts'
import { runCharges } from '../charges/charges.worker.ts'
import { invoiceChanged } from '../invoices/invoices.events.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { lapsedPayers } from './autopay.queries.ts'

/** What the company pays by, and what it owes, change while the provider is asked. */
const page = await openAutopay()
const { asaas, there, scene, shown, reaches, choose, end, charge, authorizations } = page
afterAll(page.close)

async function withLetters(): Promise<AutopayPayer> {
  const of = await page.company()
  await scene.master.get(billingNotices.addContact, {
    body: { contactName: 'Rute', email: of.email, companyId: of.companyId },
  })
  return of
}

async function authorize(of: AutopayPayer): Promise<void> {
  await choose(of, 'pix')
  await reaches(of, 'waiting')
  await pays(of)
}

/** The code that is shown is paid, which authorizes debits. */
async function pays(of: AutopayPayer): Promise<void> {
  asaas.payCode(authorizations(of).at(-1)!.id)
  await there.eventsDelivered()
  await reaches(of, 'active')
}

async function authorized(): Promise<AutopayPayer> {
  const of = await withLetters()
  await charge(of, await of.owe(3))
  await authorize(of)
  return of
}

const isDebited = ({ pixAutomaticAuthorizationId: id }: { pixAutomaticAuthorizationId: string | null }) =>
  id !== null
const statusOf = async (of: AutopayPayer, { id }: { id: number }) => (await of.shown(id)).status
const causesOf = async (of: AutopayPayer) => (await page.letters(of)).length
/** A charge that the provider made, and whose answer was lost. */
async function lost(of: AutopayPayer, days: number) {
  const known = asaas.payments.length
  there.loseAnswer('POST /v3/payments')
  const invoice = await of.owe(days)
  await until(async () => asaas.payments.length > known, 20_000)
  return { invoice, made: asaas.payments.at(-1)! }
}

test('once it is authorized, invoices that are open already are debited, too; who pays is written to of those that cannot be', async () => {
  const of = await withLetters()
  const first = await of.owe(1)
  const [near, open, quarterly] = [await of.owe(2), await of.owe(7), await of.owe(6, { recurrence: 3 })]
  const pages = [await charge(of, first), await charge(of, near), await charge(of, open)]
  const other = await charge(of, quarterly)
  await authorize(of)
  const debited = await charge(of, open, isDebited)
  expect(debited.pixAutomaticAuthorizationId).toBe(authorizations(of)[0]!.id)
  await until(async () => pages[2]!.deleted, 20_000)
  expect([pages[1]!.deleted, other.deleted]).toEqual([false, false])
  expect((await of.shown(near.id)).paymentProblem).toBe('unscheduled')
  expect(await causesOf(of)).toBe(2)
  // the mark is off: still it is for other periods
  await scene.master.get(invoices.ask, { params: { invoiceId: quarterly.id } })
  const { autopay: way } = await shown(of)
  expect(way).toMatchObject({ state: 'active', problem: 'unscheduled', next: { day: open.dueDate } })
  there.pay(debited.id)
  await there.eventsDelivered()
  expect([await statusOf(of, first), await statusOf(of, open)]).toEqual(['RECEIVED', 'RECEIVED'])
  expect(asaas.payments.filter(one => one.customer === debited.customer && isDebited(one))).toEqual([debited])
})

test('what is charged without an authorization that was refused is not shown as its next debit; the next authorization debits it', async () => {
  const of = await authorized()
  const refused = []
  for (const days of [6, 7, 8]) {
    there.failNext(400, 'POST /v3/payments')
    const invoice = await of.owe(days)
    expect(isDebited(await charge(of, invoice))).toBe(false)
    refused.push(invoice)
  }
  expect((await shown(of)).autopay).toMatchObject({ state: 'active', next: null })
  await end(of)
  await choose(of, 'pix')
  await reaches(of, 'waiting')
  // one more waits to be charged so, since the provider is busy
  there.failNext(429, 'POST /v3/payments')
  const unmade = await of.owe(9)
  await until(async () => {
    const rows = await page.sqlOf(
      page.tag`update charges set is_ordinary = true where invoice_id = ${unmade.id} and provider = ''
        and attempts > 0 and value is null returning reference`,
    )
    return rows.length > 0
  }, 20_000)
  await pays(of)
  for (const invoice of [...refused.slice(1), unmade])
    expect(isDebited(await charge(of, invoice, isDebited))).toBe(true)
  expect((await shown(of)).autopay).toMatchObject({ state: 'active', problem: '' })
})

test('once it is authorized, the open charge of an earlier provider is made anew as a debit', async () => {
  const of = await withLetters()
  const [first, open] = [await of.owe(3), await of.owe(7)]
  const earlier = [await charge(of, first), await charge(of, open)]
  await page.app.database.script(
    `update charges set provider = 'mercadopago' where invoice_id = ${open.id} and state = 'open'`,
  )
  await authorize(of)
  const debited = await charge(of, open, isDebited)
  expect([debited.id === earlier[1]!.id, (await of.shown(open.id)).paymentProblem]).toEqual([false, ''])
  expect(await causesOf(of)).toBe(0)
})

test('where no provider collects any more, an invoice that is not debited shows the account of the operator', async () => {
  const of = await authorized()
  const invoice = await of.owe(7)
  await charge(of, invoice)
  const payee = { key: 'pix@operador.test', name: 'Operador', city: 'Recife' }
  const pushed = await scene.app.platform.scopes.inCompany(of.companyId).transaction(async tx => {
    const emit = vi.spyOn(tx, 'emit')
    await holdSubscription(tx)
    const authorized = { authorizedByInvoice: null, collector: null, payee }
    await followAutopay(tx, { isCard: false, authorized })
    return emit.mock.calls.flatMap(([event, payload]) => (event === invoiceChanged ? [payload] : []))
  })
  expect(pushed).toMatchObject([
    { push: { invoice: { paymentProblem: 'unscheduled', pixCode: expect.stringContaining(payee.key) } } },
  ])
})

test('of an invoice that is paid while its code is made no code is shown, and the authorization ends', async () => {
  const of = await page.company()
  const invoice = await of.owe(3)
  const ordinary = await charge(of, invoice)
  const answer = Promise.withResolvers<void>()
  asaas.answerAfter(answer.promise, 'POST /v3/pix/automatic/authorizations')
  await choose(of, 'pix')
  await until(async () => authorizations(of).length > 0, 20_000)
  there.pay(ordinary.id)
  await there.eventsDelivered()
  expect(await statusOf(of, invoice)).toBe('RECEIVED')
  answer.resolve()
  await until(async () => authorizations(of)[0]!.status === 'CANCELLED', 20_000)
  expect((await shown(of)).autopay).toMatchObject({ kind: 'pix', state: 'wanted', pixCode: '' })
})

test('a charge whose answer was lost is cancelled, and made by card, where a card is chosen before it is known', async () => {
  const of = await page.company()
  const { invoice, made } = await lost(of, 5)
  await choose(of, 'card')
  const typed = await charge(of, invoice, ({ billingType }) => billingType === 'CREDIT_CARD')
  await page.retried(invoice)
  await until(async () => made.deleted, 20_000)
  expect([made.billingType, typed.deleted]).toEqual(['PIX', false])
})

test.each(['its page takes a card', 'its invoice is cancelled'])(
  'a charge that the provider has not made yet when %s is cancelled there after its call, also where the answer is lost',
  async which => {
    const of = await page.company()
    const known = asaas.calls.length
    const reached = Promise.withResolvers<void>()
    asaas.loseAnswer('POST /v3/payments', reached.promise)
    const invoice = await of.owe(5)
    const stateOf = async () => {
      const [row] = await page.sqlOf<{ state: string; isCalled: boolean; reference: string }>(
        page.tag`select state, value is not null as "isCalled", reference from charges where invoice_id = ${invoice.id}
          order by created_at limit 1`,
      )
      return row!
    }
    await until(async () => (await stateOf()).isCalled, 20_000)
    if (which.includes('card')) await choose(of, 'card')
    else await cancelOwed(scene, invoice.id)
    await runCharges({ ...scene.app.platform, stopping: () => false })
    const { state, reference } = await stateOf()
    expect(state).toBe('unwanted')
    reached.resolve()
    const isMaking = ({ method, path, status }: (typeof asaas.calls)[number]) =>
      method === 'POST' && path === '/v3/payments' && status === 0
    await until(async () => asaas.calls.slice(known).some(isMaking), 20_000)
    const made = asaas.payments.find(one => one.externalReference?.endsWith(`:${reference}`))
    await page.retried(invoice)
    await until(async () => made!.deleted, 20_000)
  },
)

test('a debit whose answer was lost is one, also where it is found when there is no time to order it any more', async () => {
  const of = await authorized()
  const { invoice, made } = await lost(of, 7)
  expect(isDebited(made)).toBe(true)
  await page.app.database.script(
    `update invoices set due_date = (now() at time zone 'America/Sao_Paulo')::date where id = ${invoice.id}`,
  )
  await page.retried(invoice)
  expect((await charge(of, invoice)).id).toBe(made.id)
  expect((await of.shown(invoice.id)).paymentProblem).toBe('')
  expect(await causesOf(of)).toBe(0)
})

test('a debit that is cancelled since its charge was paid, or since who pays ended it, is no failure', async () => {
  const of = await authorized()
  const [paid, open] = [await of.owe(7), await of.owe(8)]
  const charges = [await charge(of, paid), await charge(of, open)]
  there.silently(() => there.pay(charges[0]!.id))
  asaas.refuseDebit(charges[0]!.id, 'ACCOUNT_BLOCKED')
  await there.eventsDelivered()
  expect((await of.shown(paid.id)).paymentProblem).toBe('')
  await end(of)
  await until(async () => authorizations(of)[0]!.status === 'CANCELLED', 20_000)
  await there.eventsDelivered()
  const { paymentProblem, paymentLink } = await of.shown(open.id)
  expect([paymentProblem, paymentLink, await causesOf(of)]).toEqual(['', charges[1]!.invoiceUrl, 0])
})

test('of a debit whose charge cannot be read, or was removed, nobody is written to, and the events after it come', async () => {
  const of = await authorized()
  const unread = [await of.owe(7), await of.owe(8)]
  const [garbled, refused] = [await charge(of, unread[0]!), await charge(of, unread[1]!)]
  const removed = await of.owe(9)
  const gone = await charge(of, removed)
  await there.eventsDelivered()
  const known = there.outcomes().length
  asaas.garble(`GET /v3/payments/${garbled.id}`)
  asaas.refuseDebit(garbled.id, 'ACCOUNT_BLOCKED')
  there.failNext(400, `GET /v3/payments/${refused.id}`)
  asaas.refuseDebit(refused.id, 'ACCOUNT_BLOCKED')
  gone.deleted = true
  asaas.refuseDebit(gone.id, 'ACCOUNT_BLOCKED')
  there.pay(garbled.id)
  await there.eventsDelivered()
  expect(
    there
      .outcomes()
      .slice(known)
      .filter(outcome => outcome !== 200),
  ).toEqual([])
  expect([await statusOf(of, unread[0]!), (await of.shown(removed.id)).paymentProblem]).toEqual([
    'RECEIVED',
    '',
  ])
  expect(await causesOf(of)).toBe(0)
})

test('whether a company is paused is asked by its own clock', async () => {
  const way = (companyId: number) =>
    `insert into autopay_ways (company_id, kind, state) values (${companyId}, 'card', 'active')`
  const [east, west, billed] = [await page.company(), await page.company(), await page.company()]
  // at any moment the day of one of them is not that of the database
  await page.app.database.script(`
    ${[east, west, billed].map(({ companyId }) => way(companyId)).join(';')};
    update companies set time_zone = 'Pacific/Kiritimati' where id in (${east.companyId}, ${billed.companyId});
    update companies set time_zone = 'Etc/GMT+12' where id = ${west.companyId};
    insert into subscription_pauses (company_id, kind, from_day) values
      (${east.companyId}, 'pause', (now() at time zone 'Pacific/Kiritimati')::date);
    insert into subscription_pauses (company_id, kind, from_day, until_day) values
      (${west.companyId}, 'pause', '2020-01-01', (now() at time zone 'Etc/GMT+12')::date + 1)`)
  const found = await scene.app.platform.scopes
    .platform()
    .transaction(sql => lapsedPayers(sql, scene.app.platform.config.tzDefault))
  expect(found).toEqual(expect.arrayContaining([east.companyId, west.companyId]))
  expect(found).not.toContain(billed.companyId)
})
