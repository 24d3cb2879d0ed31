import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MercadoPagoServer, startMercadoPagoServer } from './server.ts'
import type { Payment } from './state.ts'

let there: MercadoPagoServer
beforeEach(async () => {
  there = await startMercadoPagoServer({ webhooks: { pauses: [0] } })
})
afterEach(() => there.close())

const pix = {
  ...{ transaction_amount: 99.9, payment_method_id: 'pix', external_reference: 'a:1', description: 'Plano' },
  payer: { email: 'ana@padaria.test', identification: { type: 'CNPJ', number: '11222333000181' } },
}
const address = {
  ...{ zip_code: '01310100', street_name: 'Avenida Paulista', street_number: '1000' },
  ...{ neighborhood: 'Bela Vista', city: 'São Paulo', federal_unit: 'SP' },
}
const boleto = { ...pix, payment_method_id: 'bolbradesco', payer: { ...pix.payer, address } }

/** A payment, a page of a search, or a refusal. */
type Answered = Omit<Payment, 'status'> & {
  status: unknown
  results: unknown[]
  paging: object
  cause: { code: number }[]
}

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(there.url + path, {
    method,
    headers: {
      authorization: `Bearer ${there.token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Answered }
}
const make = (body: object, key: string = crypto.randomUUID()) =>
  call('POST', '/v1/payments', body, { 'x-idempotency-key': key })

test('a PIX and a boleto have a page to pay them, and are shown by their id', async () => {
  const [one, other] = [await make(pix), await make(boleto)]
  expect([one.status, other.status]).toEqual([201, 201])
  expect(one.body).toMatchObject({ status: 'pending', payment_type_id: 'bank_transfer', currency_id: 'BRL' })
  expect(one.body.point_of_interaction.transaction_data?.ticket_url).toMatch(/^https:/)
  expect(other.body.transaction_details.external_resource_url).toMatch(/^https:/)
  expect(await call('GET', `/v1/payments/${one.body.id}`)).toEqual({ status: 200, body: one.body })
})

test('the same key is answered what was made with it', async () => {
  const [first, second, other] = [await make(pix, 'k'), await make(pix, 'k'), await make(pix, 'l')]
  expect(second).toEqual(first)
  expect(other.body.id).not.toBe(first.body.id)
  expect(there.payments).toHaveLength(2)
})

test.each([
  ['an unknown field', { ...pix, value: 1 }, 8],
  ['an unknown field within another', { ...pix, payer: { ...pix.payer, name: 'Ana' } }, 8],
  [
    'a false document',
    { ...pix, payer: { ...pix.payer, identification: { type: 'CPF', number: '1' } } },
    2067,
  ],
  ['no e-mail', { ...pix, payer: { ...pix.payer, email: '' } }, 4050],
  ['a fraction of a cent', { ...pix, transaction_amount: 1.001 }, 4037],
  ['an expiry beyond 30 days', { ...pix, date_of_expiration: '2999-01-01T00:00:00.000-03:00' }, 23],
  ['an expiry without milliseconds', { ...pix, date_of_expiration: '2999-01-01T00:00:00-03:00' }, 23],
  ['a boleto without an address', { ...boleto, payer: pix.payer }, 1],
])('%s is refused', async (_what, body, code) => {
  const { status, body: refused } = await make(body)
  expect([status, refused.status, refused.cause[0]?.code]).toEqual([400, 400, code])
  expect(there.payments).toEqual([])
})

test('a call without its key, with another token, and of a path that is not there are refused', async () => {
  expect((await call('POST', '/v1/payments', pix)).body.cause[0]?.code).toBe(4292)
  expect((await call('GET', '/v1/payments/1', undefined, { authorization: 'Bearer x' })).status).toBe(401)
  expect((await call('GET', '/v1/payments/1')).status).toBe(404)
  expect((await call('GET', '/v1/orders')).status).toBe(404)
  expect(there.unknown).toEqual(['GET /v1/orders'])
})

test('a search finds by reference and by time of creation, a page at a time', async () => {
  for (let at = 0; at < 3; at++) await make({ ...pix, external_reference: `r${at}` })
  const search = async (query: string) => (await call('GET', `/v1/payments/search?${query}`)).body
  const sorted = 'sort=date_created&criteria=asc'
  expect((await search(`${sorted}&external_reference=r1`)).results).toMatchObject([
    { external_reference: 'r1' },
  ])
  const page = await search(
    `${sorted}&range=date_created&begin_date=2020-01-01T00:00:00.000-03:00&end_date=NOW&limit=2`,
  )
  expect([page.paging, page.results.length]).toEqual([{ total: 3, limit: 2, offset: 0 }, 2])
  expect((await search(`${sorted}&begin_date=ontem`)).cause[0]?.code).toBe(1001)
  expect((await search(`${sorted}&offset=10000`)).cause[0]?.code).toBe(1000)
})

test('what is owed is cancelled, what is paid is given back once, and neither the other way', async () => {
  const { id } = (await make(pix)).body
  const refund = () => call('POST', `/v1/payments/${id}/refunds`, {}, { 'x-idempotency-key': 'r' })
  expect((await refund()).body.cause[0]?.code).toBe(2063)
  there.pay(id)
  const cancelled = await call('PUT', `/v1/payments/${id}`, { status: 'cancelled' })
  expect(cancelled.body.cause[0]?.code).toBe(2018)
  const given = await refund()
  expect([given.status, given.body]).toMatchObject([
    201,
    { payment_id: id, amount: 99.9, status: 'approved' },
  ])
  expect(await refund()).toEqual(given)
  expect(there.payments[0]).toMatchObject({ status: 'refunded', transaction_amount_refunded: 99.9 })
  expect(() => there.pay(id)).toThrow('it cannot be paid')
})

test('a part is given back while the payment stays approved; what is in process or cancelled does not count', async () => {
  const { id } = (await make(pix)).body
  there.pay(id)
  const refund = (body: object, key: string) =>
    call('POST', `/v1/payments/${id}/refunds`, body, { 'x-idempotency-key': key })
  expect((await refund({ amount: 20 }, 'a')).body).toMatchObject({ amount: 20, status: 'approved' })
  there.beginRefund(id, 30)
  const [payment] = there.payments
  expect(payment).toMatchObject({
    ...{ status: 'approved', status_detail: 'partially_refunded', transaction_amount_refunded: 20 },
    refunds: [
      { amount: 20, status: 'approved' },
      { amount: 30, status: 'in_process' },
    ],
  })
  for (const [at, body] of [{}, { amount: 49.91 }].entries())
    expect((await refund(body, `b${at}`)).body.cause[0]?.code).toBe(2063)
  there.endRefund(id, 'cancelled')
  expect(() => there.refundPart(id, 79.9)).toThrow('not a part')
  there.refundPart(id, 9.9)
  there.refund(id)
  expect(payment).toMatchObject({ status: 'refunded', transaction_amount_refunded: 99.9 })
})

test('an event is signed over the id in its address, and is tried again until it is received', async () => {
  const calls: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    calls.push({ url: request.url!, headers: request.headers, body })
    response.writeHead(calls.length === 1 ? 500 : 201).end()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  there.webhooks.tell(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/payments`, 'segredo')
  const { id } = (await make(pix)).body
  await expect.poll(() => there.webhooks.attempts.map(({ outcome }) => outcome)).toEqual([500, 201])
  receiver.close()
  for (const { url, headers, body } of calls) {
    expect(url).toBe(`/payments?data.id=${id}&type=payment`)
    const [, ts, v1] = /^ts=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature']))!
    const signed = `id:${id};request-id:${headers['x-request-id']};ts:${ts};`
    expect(v1).toBe(createHmac('sha256', 'segredo').update(signed).digest('hex'))
    expect(JSON.parse(body)).toMatchObject({
      type: 'payment',
      action: 'payment.created',
      data: { id: String(id) },
    })
  }
})
