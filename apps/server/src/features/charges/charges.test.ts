import { type AsaasServer, startAsaasServer } from '@balcao/asaas-server/server.ts'
import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { clients } from '@balcao/contract/clients.ts'
import { type Invoice, type InvoiceInput, invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { runCharges } from './charges.worker.ts'

const TOKEN = 'segredo-do-webhook-com-32-caracteres'
let asaas: AsaasServer
let app: TestApp
let master: Person
beforeAll(async () => {
  asaas = await startAsaasServer({ webhooks: { pauses: [0] } })
  app = await openTestApp({
    ...{ ASAAS_URL: asaas.url, ASAAS_TOKEN: asaas.token, ASAAS_WEBHOOK_TOKEN: TOKEN },
    OUTBOUND_ALLOW: '127.0.0.1',
  })
  asaas.webhooks.tell(`${app.url}/payments/asaas`, TOKEN)
  master = await app.as('master@balcao.test')
})
afterAll(async () => {
  await app.close()
  await asaas.close()
  expect([asaas.unknown, asaas.errors]).toEqual([[], []])
})

const VALID = '11.222.333/0001-81'

/** A company with a plan; how it is invoiced, and the status of its invoices. */
async function payer(documentNumber = VALID) {
  const email = `${unique()}@pagador.test`
  const body = { name: `Pagador ${unique()}`, email, userName: 'Dona', passwordDefault: 'balcao-demo' }
  const { id: companyId } = (await master.get(clients.create, { body })).company
  await master.get(clients.change, { params: { companyId }, body: { documentNumber } })
  const offered = await master.get(plans.create, { body: { name: `Plano ${unique()}`, value1Month: 9_990 } })
  const params = {
    planId: (await master.get(plans.assign, { params: { companyId, planId: offered.id } })).id,
  }
  const invoice = (more: Partial<InvoiceInput> = {}) =>
    master.get(invoices.create, {
      params,
      body: {
        ...{ startInvoicePeriod: '2030-01-01', endInvoicePeriod: '2030-01-31', dueDate: '2030-01-10' },
        ...{ valueBrl: '99,90', billingType: 'PIX', recurrence: 1, ...more },
      },
    })
  const shown = async (id: number): Promise<Invoice> => {
    const { list } = await master.get(invoices.list, { params })
    return list.find(one => one.id === id)!
  }
  return { companyId, email, invoice, shown }
}
type Payer = Awaited<ReturnType<typeof payer>>

/** Makes it due: what waits for a next try, or to be queried. */
const pass = (invoiceId: number) =>
  app.database.script(`update charges set due_at = now() where invoice_id = ${invoiceId}`)
const stands = (who: Payer, id: number, how: (invoice: Invoice) => boolean) =>
  until(async () => {
    const invoice = await who.shown(id)
    return how(invoice) && invoice
  }, 20_000)
const charged = (who: Payer, id: number) => stands(who, id, ({ paymentLink }) => paymentLink !== '')
const paymentOf = ({ paymentLink }: Invoice) => asaas.payments.find(one => one.invoiceUrl === paymentLink)!
const statusOf = async (who: Payer, id: number) => (await who.shown(id)).status
/** An invoice with its charge. */
async function open(more: Partial<InvoiceInput> = {}, who?: Payer) {
  const of = who ?? (await payer())
  const { id } = await of.invoice(more)
  const payment = paymentOf(await charged(of, id))
  return { who: of, id, payment }
}
const heard = async () => {
  await asaas.webhooks.settled()
}

test('an invoice that names no place to pay is charged once, and paid by the word of the provider (INVOICE-003, OP-126) [GEN-023, GEN-025]', async () => {
  const { who, id, payment } = await open()
  expect(payment).toMatchObject({ value: 99.9, dueDate: '2030-01-10', billingType: 'PIX', status: 'PENDING' })
  const customer = asaas.customers.find(one => one.id === payment.customer)!
  expect(customer).toMatchObject({ cpfCnpj: '11222333000181', email: who.email })
  await master.get(billingNotices.addContact, {
    body: { contactName: 'Rute', email: who.email, companyId: who.companyId },
  })
  asaas.pay(payment.id)
  await heard()
  expect(await who.shown(id)).toMatchObject({
    status: 'RECEIVED',
    payDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    pixCode: '',
  })
  // received once more: nothing changes, and the confirmation is not sent twice
  for (const notified of asaas.webhooks.events.slice(-1)) asaas.webhooks.again(notified)
  await heard()
  const { notices } = await master.get(billingNotices.listNotices, { params: { companyId: who.companyId } })
  expect(notices.map(({ kind }) => kind)).toEqual(['invoiceConfirmedPayment'])
  expect(asaas.webhooks.attempts.every(({ outcome }) => outcome === 200)).toBe(true)
  // one with its own payment address is not charged
  const { id: own } = await who.invoice({ paymentLink: 'https://banco.test/1' })
  await runCharges({ ...app.platform, stopping: () => false })
  expect(paymentOf(await who.shown(own))).toBeUndefined()
})

test('two workers, and an answer that got lost, make one charge', async () => {
  const who = await payer()
  asaas.loseAnswer('POST /v3/payments')
  const { id } = await who.invoice()
  await until(async () => asaas.calls.some(({ status }) => status === 0))
  await until(async () => {
    await pass(id)
    return (await who.shown(id)).paymentLink !== ''
  }, 20_000)
  const tools = { ...app.platform, stopping: () => false }
  await pass(id)
  await Promise.all([runCharges(tools), runCharges(tools), runCharges(tools)])
  const reference = paymentOf(await who.shown(id)).externalReference
  expect(asaas.payments.filter(one => one.externalReference === reference)).toHaveLength(1)
})

test('a worker whose provider answers too late leaves the charge to the one who has it by now', async () => {
  const who = await payer()
  const slow = Promise.withResolvers<void>()
  const asked = asaas.calls.length
  asaas.answerAfter(slow.promise, 'GET /v3/payments')
  const { id } = await who.invoice()
  const isHeld = async () => {
    const [row] = await app.platform.scopes
      .platform()
      .transaction(sql =>
        rowsFrom<{ attempts: number }>(sql, tag`select attempts from charges where invoice_id = ${id}`),
      )
    return row?.attempts === 1
  }
  await until(isHeld)
  // its lease expires, which is not awaited here
  await pass(id)
  await runCharges({ ...app.platform, stopping: () => false })
  const { paymentLink } = await charged(who, id)
  slow.resolve()
  await open({}, who) // the worker goes on behind it
  const { externalReference } = paymentOf(await who.shown(id))
  const made = asaas.calls.slice(asked).filter(({ method, path, body }) => {
    const isOfIt = (body as { externalReference?: string } | null)?.externalReference === externalReference
    return method === 'POST' && path === '/v3/payments' && isOfIt
  })
  expect(made).toHaveLength(1)
  expect((await who.shown(id)).paymentLink).toBe(paymentLink)
})

test('events that come in disorder move an invoice forwards alone; a card is confirmed, then received', async () => {
  const { who, id, payment } = await open({ billingType: 'CREDIT_CARD' })
  const held = asaas.webhooks.hold()
  asaas.pay(payment.id)
  asaas.settle(payment.id)
  held.release('reversed')
  await heard()
  expect(await statusOf(who, id)).toBe('RECEIVED')
  const other = await open({ billingType: 'CREDIT_CARD' })
  asaas.pay(other.payment.id)
  await heard()
  expect(await statusOf(other.who, other.id)).toBe('CONFIRMED')
  asaas.settle(other.payment.id)
  await heard()
  expect(await statusOf(other.who, other.id)).toBe('RECEIVED')
})

test('what was paid back is owed again, and a late word of its payment does not pay it', async () => {
  const { who, id, payment } = await open()
  const held = asaas.webhooks.hold()
  asaas.pay(payment.id)
  held.release()
  await heard()
  const [received] = asaas.webhooks.events.slice(-1)
  asaas.refund(payment.id)
  await heard()
  expect(await who.shown(id)).toMatchObject({ status: 'PENDING', payDate: null, paymentLink: '' })
  asaas.webhooks.again(received!)
  await heard()
  expect(await statusOf(who, id)).toBe('PENDING')
})

test('an event that never came is asked for', async () => {
  const { who, id, payment } = await open()
  asaas.webhooks.loseNext()
  asaas.pay(payment.id)
  expect(await statusOf(who, id)).toBe('PENDING')
  await pass(id)
  await stands(who, id, ({ status }) => status === 'RECEIVED')
})

test('what was paid by hand, or is deleted, nobody can pay again; taken back it is charged anew', async () => {
  const { who, id, payment } = await open()
  const pay = (payDate: string | null) =>
    master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate } })
  await pay('2030-01-05')
  await until(async () => payment.deleted)
  await heard()
  expect(await statusOf(who, id)).toBe('RECEIVED')
  await stands(who, id, ({ paymentLink }) => paymentLink === '')
  await pay(null)
  const anew = paymentOf(await charged(who, id))
  expect(anew.id).not.toBe(payment.id)
  await master.get(invoices.remove, { params: { invoiceId: id } })
  await until(async () => anew.deleted)
})

test('what a company that is deleted still owed nobody can pay any more, also when the provider is away at first', async () => {
  const { who, payment } = await open()
  asaas.failNext(500, `DELETE /v3/payments/${payment.id}`)
  const calls = asaas.calls.length
  await master.get(clients.remove, { params: { companyId: who.companyId } })
  await until(async () => asaas.calls.slice(calls).some(({ status }) => status === 500))
  const left = () =>
    app.platform.scopes
      .platform()
      .transaction(sql =>
        rowsFrom<{ id: number }>(sql, tag`select id from companies where id = ${who.companyId}`),
      )
  expect([payment.deleted, await left()]).toEqual([false, [{ id: who.companyId }]])
  await app.database.script(`update charges set due_at = now() where company_id = ${who.companyId}`)
  await until(async () => payment.deleted, 20_000)
  await until(async () => (await left()).length === 0, 20_000)
})

test('a charge that somebody removes in the provider’s panel takes its address along, and comes back with it', async () => {
  const { who, id, payment } = await open()
  await fetch(`${asaas.url}/payments/${payment.id}`, {
    method: 'DELETE',
    headers: { access_token: asaas.token, 'user-agent': 'panel' },
  })
  await heard()
  expect((await who.shown(id)).paymentLink).toBe('')
  asaas.restore(payment.id)
  await heard()
  expect(paymentOf(await charged(who, id)).id).toBe(payment.id)
})

test('a document that is none is said at the invoice; mended, it is charged', async () => {
  const who = await payer('')
  const { id } = await who.invoice()
  const { paymentProblem } = await stands(who, id, one => one.paymentProblem !== '')
  expect(paymentProblem).toMatch(/CPF|CNPJ/i)
  await master.get(clients.change, { params: { companyId: who.companyId }, body: { documentNumber: VALID } })
  await pass(id)
  expect(await charged(who, id)).toMatchObject({ paymentProblem: '' })
})

test('a provider that is away is tried again', async () => {
  const who = await payer()
  asaas.failNext(500, 'GET /v3/payments')
  const { id } = await who.invoice()
  await until(async () => asaas.calls.some(({ status }) => status === 500))
  expect((await who.shown(id)).paymentProblem).toBe('')
  await until(async () => {
    await pass(id)
    return (await who.shown(id)).paymentLink !== ''
  }, 20_000)
})

test('a forged event, one that cannot be read and one of no charge of ours change nothing', async () => {
  const { who, id, payment } = await open()
  const notified = (headers: Record<string, string>, body: string) =>
    fetch(`${app.url}/payments/asaas`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  asaas.webhooks.loseNext()
  asaas.pay(payment.id)
  const { body } = asaas.webhooks.events.at(-1)!
  for (const headers of [{}, { 'asaas-access-token': '' }, { 'asaas-access-token': `${TOKEN}x` }])
    expect((await notified(headers as Record<string, string>, body)).status).toBe(401)
  expect((await notified({ 'asaas-access-token': TOKEN }, '{"id": 1}')).status).toBe(400)
  expect((await notified({ 'asaas-access-token': TOKEN }, 'nada')).status).toBe(400)
  const others = body
    .replaceAll(payment.id, 'pay_outro')
    .replaceAll(payment.externalReference!, '00000000-0000-4000-8000-000000000000')
  expect((await notified({ 'asaas-access-token': TOKEN }, others)).status).toBe(200)
  expect(await statusOf(who, id)).toBe('PENDING')
  expect((await notified({ 'asaas-access-token': TOKEN }, body)).status).toBe(200)
  expect(await statusOf(who, id)).toBe('RECEIVED')
})
