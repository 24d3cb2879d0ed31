import { autopay } from '@balcao/contract/autopay.ts'
import { collectors } from '@balcao/contract/collectors.ts'
import { companies } from '@balcao/contract/companies.ts'
import { type Invoice, invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChargeScene, chargesIn } from '../../../testing/charges.ts'
import { type PlayedCollector, playCollector } from '../../../testing/collectors.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { askForCharges } from '../charges/charges.listing.actions.ts'
import { chargesDue } from '../charges/charges.queries.ts'
import { runCharges } from '../charges/charges.worker.ts'
import { someCollector } from './collectors.queries.ts'
import { collectors as table } from './collectors.table.ts'

let asaas: PlayedCollector
let mercadoPago: Awaited<ReturnType<typeof playCollector.mercadopago>>
let app: TestApp
let master: Person
let scene: ChargeScene
beforeAll(async () => {
  asaas = await playCollector.asaas()
  mercadoPago = await playCollector.mercadopago()
  app = await openTestApp({
    ...{ ...asaas.variables, ...mercadoPago.variables },
    ...{ OUTBOUND_ALLOW: '127.0.0.1', PIX_KEY: 'ana@balcao.test' },
  })
  master = await app.as('master@balcao.test')
  scene = chargesIn(app, master)
})
afterAll(async () => {
  for (const one of [app, asaas, mercadoPago]) await one.close()
})

const sqlOf = <Row>(text: ReturnType<typeof tag>) =>
  app.platform.scopes.platform().transaction(sql => rowsFrom<Row>(sql, text))
/** What wakes the worker of charges. */
const due = () =>
  app.platform.scopes.platform().transaction(async sql => chargesDue(sql, 1, app.platform.config))
const choose = (name: 'asaas' | 'mercadopago' | null) => master.get(collectors.choose, { body: { name } })
/** Both have an account, and this one collects. */
async function collecting(name: 'asaas' | 'mercadopago') {
  for (const one of [asaas, mercadoPago]) {
    one.tell(`${app.url}/payments/${one.name}`)
    await master.get(collectors.save, { params: { name: one.name }, body: one.account })
  }
  await choose(name)
}
const at = (there: PlayedCollector, { paymentLink }: Pick<Invoice, 'paymentLink'>) =>
  there.charges().find(({ link }) => link === paymentLink)
const chargesOf = (there: PlayedCollector, email: string) =>
  there.charges().filter(one => one.email === email)

test('a refund of a payment that another installation collected waits for a master where no provider is set up', async () => {
  const who = await scene.payer()
  await app.database.script(`
    with paid as (insert into payments (company_id, source, value, paid_on, provider)
      values (${who.companyId}, 'provider', 500, current_date, 'asaas') returning id)
    insert into payment_refunds (company_id, payment_id, value, state)
      select ${who.companyId}, id, 500, 'wanted' from paid`)
  const waiting = await until(async () => (await scene.toReview(who))[0])
  expect(waiting).toMatchObject({ review: 'refundRefused', freeValue: 500 })
})

test('where no provider is set up no charge is looked for, also not of an invoice that waits for one', async () => {
  const { id } = await (await scene.payer()).invoice()
  const wanted = tag`select state from charges where invoice_id = ${id}`
  expect([await sqlOf(wanted), await due()]).toEqual([[{ state: 'wanted' }], []])
})

test('an operator enters the account of a provider, which is stored sealed and never shown, tries it, and chooses it', async () => {
  const of = { params: { name: 'mercadopago' as const } }
  const shown = async () => (await master.get(collectors.list)).collectors
  const payable = async () => (await master.get(companies.branding)).payments
  expect((await shown()).map(({ name, isSetUp, isChosen }) => [name, isSetUp, isChosen])).toEqual([
    ['asaas', false, false],
    ['mercadopago', false, false],
  ])
  for (const refused of [
    await master.call(collectors.choose, { body: { name: 'mercadopago' } }),
    await master.call(collectors.test, of),
  ])
    expect([refused.status, refused.body.error]).toEqual([409, 'ERR_COLLECTOR_UNSET'])
  const half = await master.call(collectors.save, { ...of, body: { token: 'APP_USR-errado-0002' } })
  expect([half.status, half.body.field]).toEqual([400, 'webhookSecret'])

  const webhookSecret = 'segredo-do-painel'
  const saved = await master.call(collectors.save, {
    ...of,
    body: { token: 'APP_USR-errado-0002', webhookSecret },
  })
  expect(saved.body.collectors[1]).toEqual({
    ...{ name: 'mercadopago', isChosen: false, isSetUp: true, isOfServer: false, tokenEnd: '0002' },
    ...{ webhookPath: '/payments/mercadopago', billingTypes: ['PIX', 'BOLETO'] },
  })
  expect(JSON.stringify(saved.body)).not.toMatch(/errado|segredo/)
  const rows = await app.platform.scopes.platform().transaction(sql => sql.select().from(table))
  for (const row of rows) for (const one of [row.token, row.webhookSecret]) expect(one).toMatch(/^v1\./)

  expect((await master.get(collectors.test, of)).problem).toBe('Mercado Pago: invalid access token (401)')
  // what is empty is kept
  await master.get(collectors.save, { ...of, body: { token: mercadoPago.account.token } })
  expect(await master.get(collectors.test, of)).toEqual({ problem: '' })
  expect(await payable()).toBe(false)
  await choose('mercadopago')
  expect([await payable(), (await shown())[1]!.isChosen]).toEqual([true, true])
  await choose(null)
  expect(await payable()).toBe(false)
})

test('an invoice that is added while no provider collects is not tried, and is charged when one is chosen', async () => {
  await collecting('mercadopago')
  await choose(null)
  const { scopes, config } = app.platform
  const isSome = (drill: boolean) =>
    scopes
      .platform()
      .transaction(async sql =>
        rowsFrom<{ is: boolean }>(sql, tag`select ${someCollector(sql, { ...config, drill })} as is`),
      )
  // a drill does not use the stored accounts
  expect([await isSome(false), await isSome(true)]).toEqual([[{ is: true }], [{ is: false }]])
  const who = await scene.payer()
  const { id } = await who.invoice()
  expect(await due()).toEqual([])
  await runCharges({ ...app.platform, stopping: () => false })
  const attempts = tag`select attempts from charges where invoice_id = ${id}`
  expect(await sqlOf(attempts)).toEqual([{ attempts: 0 }])
  await choose('mercadopago')
  await runCharges({ ...app.platform, stopping: () => false })
  expect(at(mercadoPago, await scene.charged(who, id))).toBeDefined()
})

test('charges stay with the provider that they were made at: they are paid, queried, refunded and cancelled there after another was chosen', async () => {
  await collecting('asaas')
  const made = async () => {
    const { who, id, link } = await scene.open()
    return { who, id, charge: at(asaas, { paymentLink: link })! }
  }
  const paid = await made()
  const lost = await made()
  const owed = await made()
  await choose('mercadopago')

  asaas.pay(paid.charge.id)
  await asaas.eventsDelivered()
  expect(await paid.who.shown(paid.id)).toMatchObject({ status: 'RECEIVED', state: 'paid' })
  asaas.silently(() => asaas.pay(lost.charge.id))
  await master.get(invoices.pay, { params: { invoiceId: lost.id }, body: { payDate: '2030-01-05' } })
  await askForCharges(app.platform, new Date())
  const [waiting] = await scene.toReview(lost.who)
  expect(waiting).toMatchObject({ provider: 'asaas', review: 'twice' })
  await master.get(payments.refund, { params: { paymentId: waiting!.id }, body: { reason: 'Em dobro' } })
  const stateOf = (id: string) => asaas.charges().find(one => one.id === id)!.state
  await until(async () => stateOf(lost.charge.id) === 'refunded')

  // what is owed is not charged twice; the rest of it is charged anew, at the provider that collects by now
  expect(chargesOf(mercadoPago, owed.who.email)).toEqual([])
  const part = { payDate: '2030-01-05', valueBrl: '40,00' }
  await master.get(invoices.pay, { params: { invoiceId: owed.id }, body: part })
  await until(async () => stateOf(owed.charge.id) === 'gone')
  const rest = await scene.reaches(owed.who, owed.id, one => at(mercadoPago, one) !== undefined)
  const charge = at(mercadoPago, rest)!
  expect(charge).toMatchObject({ cents: 5_990, state: 'open' })
  mercadoPago.pay(charge.id)
  await mercadoPago.eventsDelivered()
  expect(await owed.who.shown(owed.id)).toMatchObject({ status: 'RECEIVED', state: 'paid', paidValue: 9_990 })
})

test('what a provider may have made stays with it when another is chosen; what it cannot have made is the other’s', async () => {
  await collecting('asaas')
  const rowOf = async (id: number) => {
    const found = tag`select provider, extract(epoch from due_at - now())::float8 as seconds from charges where invoice_id = ${id}`
    return (await sqlOf<{ provider: string; seconds: number }>(found))[0]!
  }

  // its answer is lost, and then it refuses
  asaas.loseAnswer(asaas.making)
  const made = await scene.payer()
  const { id } = await made.invoice()
  await until(async () => chargesOf(asaas, made.email).length === 1)
  await until(async () => (await rowOf(id)).seconds < 90) // put off, for less than a lease
  asaas.failNext(400, asaas.searching)
  await choose('mercadopago')
  await scene.pass(id)
  await scene.reaches(made, id, one => one.paymentProblem !== '')
  await scene.pass(id)
  expect(chargesOf(asaas, made.email)).toEqual([at(asaas, await scene.charged(made, id))])
  expect(chargesOf(mercadoPago, made.email)).toEqual([])

  // it refuses the token
  await choose('asaas')
  asaas.failNext(401, asaas.searching)
  const other = await scene.payer()
  const { id: next } = await other.invoice()
  await until(async () => asaas.calls.some(({ status }) => status === 401))
  await until(async () => (await rowOf(next)).provider === '')
  await choose('mercadopago')
  await scene.pass(next)
  expect(at(mercadoPago, await scene.charged(other, next))).toBeDefined()
  expect(chargesOf(asaas, other.email)).toEqual([])
})

test('what expired at Mercado Pago is charged anew; after a lost chargeback the invoice is owed again, during one it is not', async () => {
  await collecting('mercadopago')
  const { server } = mercadoPago
  const idOf = (link: string) => mercadoPago.charges().find(one => one.link === link)!.id
  const { who, id, link } = await scene.open()
  server.expire(idOf(link))
  await mercadoPago.eventsDelivered()
  const { paymentLink } = await scene.reaches(
    who,
    id,
    one => one.paymentLink !== link && one.paymentLink !== '',
  )
  server.pay(idOf(paymentLink))
  await mercadoPago.eventsDelivered()
  const stateOf = async () => {
    await mercadoPago.eventsDelivered()
    const { status, state } = await who.shown(id)
    return [status, state]
  }
  expect(await stateOf()).toEqual(['RECEIVED', 'paid'])
  server.chargeBack(idOf(paymentLink))
  expect(await stateOf()).toEqual(['RECEIVED', 'paid'])
  server.chargeBack(idOf(paymentLink), 'settled')
  expect(await stateOf()).toEqual(['PENDING', 'open'])
  const anew = await scene.charged(who, id)
  expect([link, paymentLink]).not.toContain(anew.paymentLink)

  // an expiry whose event never came is found by the query
  mercadoPago.silently(() => server.expire(idOf(anew.paymentLink)))
  await askForCharges(app.platform, new Date())
  await scene.reaches(who, id, one => ![anew.paymentLink, ''].includes(one.paymentLink))
})

test('automatic payment is offered while Asaas collects, and not while Mercado Pago does', async () => {
  const { companyId, email } = await scene.payer()
  const payer = await app.as(email)
  const of = { params: { companyId } }
  const chosen = async () => {
    const { status, body } = await payer.call(autopay.choose, { ...of, body: { kind: 'card' } })
    return [(await payer.get(autopay.show, of)).offered, status, (body as { error?: string }).error]
  }
  await collecting('mercadopago')
  expect(await chosen()).toEqual([[], 409, 'ERR_AUTOPAY_OFF'])
  expect((await payer.get(autopay.show, of)).autopay).toBeNull()
  await collecting('asaas')
  expect(await chosen()).toEqual([['pix', 'card'], 200, undefined])
})
