import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AsaasServer, startAsaasServer } from './server.ts'

/** A Monday. */
const NOON = new Date('2026-03-09T15:00:00Z')

let asaas: AsaasServer
let customer: string
beforeEach(async () => {
  asaas = await startAsaasServer({ now: () => NOON, webhooks: { pauses: [0] } })
  customer = (await ask('POST', '/customers', { name: 'Padaria Central', cpfCnpj: '11.222.333/0001-81' })).id
})
afterEach(async () => {
  await asaas.close()
  expect([asaas.unknown, asaas.errors]).toEqual([[], []])
})

interface Answer {
  status: string
  id: string
  errors?: { code: string }[]
  data: { id: string }[]
  creditCard: { creditCardToken: string } | null
}

const ask = async (method: string, path: string, body?: object) => {
  const answer = await fetch(asaas.url + path, {
    method,
    headers: { access_token: asaas.token, 'user-agent': 'teste' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Answer
}
const events = () => asaas.webhooks.events.map(({ event }) => event.replace('PIX_AUTOMATIC_RECURRING_', ''))
const refusalOf = async (path: string, body: object) =>
  (await ask('POST', path, body)).errors?.map(({ code }) => code)

const AUTHORIZATIONS = '/pix/automatic/authorizations'
const wanted = () => ({
  ...{ customerId: customer, frequency: 'MONTHLY', contractId: 'c'.repeat(35), startDate: '2026-03-10' },
  immediateQrCode: { expirationSeconds: 3_600, originalValue: 99.9 },
})

test('an authorization is active when its code is paid, and debits what is ordered 2 to 10 working days before', async () => {
  expect(await refusalOf(AUTHORIZATIONS, { ...wanted(), contractId: 'c'.repeat(36) })).toEqual([
    'invalid_contractId',
  ])
  expect(await refusalOf(AUTHORIZATIONS, { ...wanted(), startDate: '2026-03-09' })).toEqual([
    'invalid_dueDate',
  ])
  const { id } = await ask('POST', AUTHORIZATIONS, wanted())
  const debit = { customer, billingType: 'PIX', value: 99.9, pixAutomaticAuthorizationId: id }
  expect(await refusalOf('/payments', { ...debit, dueDate: '2026-03-13' })).toEqual(['invalid_action'])
  const paid = asaas.payCode(id)
  expect(await ask('GET', `/payments/${paid.id}`)).toMatchObject({
    ...{ status: 'RECEIVED', value: 99.9, externalReference: null },
    pixQrCodeId: asaas.authorizations[0]!.immediateQrCode.conciliationIdentifier,
  })
  for (const dueDate of ['2026-03-10', '2026-03-24'])
    expect(await refusalOf('/payments', { ...debit, dueDate })).toEqual(['invalid_dueDate'])
  const made = await ask('POST', '/payments', { ...debit, dueDate: '2026-03-23' })
  asaas.refuseDebit(made.id, 'PAYMENT_OVERDUE')
  expect((await ask('GET', `${AUTHORIZATIONS}?customerId=${customer}`)).data.map(one => one.id)).toEqual([id])
  expect(await ask('DELETE', `${AUTHORIZATIONS}/${id}`)).toMatchObject({ status: 'CANCELLED' })
  expect((await ask('DELETE', `${AUTHORIZATIONS}/${id}`)).errors).toHaveLength(1)
  expect(events()).toEqual([
    ...['AUTHORIZATION_CREATED', 'PAYMENT_CREATED', 'PAYMENT_RECEIVED', 'AUTHORIZATION_ACTIVATED'],
    ...['PAYMENT_CREATED', 'PAYMENT_INSTRUCTION_CREATED', 'PAYMENT_INSTRUCTION_SCHEDULED'],
    ...['PAYMENT_INSTRUCTION_REFUSED', 'AUTHORIZATION_CANCELLED', 'PAYMENT_INSTRUCTION_CANCELLED'],
  ])
})

test('a card that was typed on the page of a payment pays others of its customer by a token', async () => {
  const card = { customer, billingType: 'CREDIT_CARD', value: 50, dueDate: '2026-03-09' }
  const [first, second, third] = [
    await ask('POST', '/payments', card),
    await ask('POST', '/payments', card),
    await ask('POST', '/payments', card),
  ]
  asaas.pay(first.id)
  const { creditCard } = await ask('GET', `/payments/${first.id}`)
  const body = { creditCardToken: creditCard!.creditCardToken }
  const path = (id: string) => `/payments/${id}/payWithCreditCard`
  expect(await ask('POST', path(second.id), body)).toMatchObject({ status: 'CONFIRMED' })
  expect(await refusalOf(path(second.id), body)).toEqual(['invalid_action'])
  expect(await refusalOf(path(third.id), { creditCardToken: 'outro' })).toEqual(['invalid_creditCardToken'])
  asaas.refuseCards(customer)
  expect(await refusalOf(path(third.id), body)).toEqual(['invalid_creditCard'])
  asaas.refuseCards(customer, false)
  asaas.analyseCard(third.id)
  expect(await ask('POST', path(third.id), body)).toMatchObject({ status: 'AWAITING_RISK_ANALYSIS' })
  asaas.approveCard(third.id)
  expect(await ask('GET', `/payments/${third.id}`)).toMatchObject({ status: 'CONFIRMED' })
})
