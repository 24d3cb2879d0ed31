import { momentOf } from '@balcao/mercadopago-server/moments.ts'
import { type MercadoPagoServer, startMercadoPagoServer } from '@balcao/mercadopago-server/server.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Outbound, openOutbound } from '../platform/outbound/outbound.ts'
import { openMercadoPago } from './mercadopago.ts'
import { type Charge, EventRefused, type PaymentProvider, ProviderRefused } from './payments.ts'

const SECRET = 'segredo-do-painel'
let there: MercadoPagoServer
let outbound: Outbound
let provider: PaymentProvider
let now: number
const opened = (given: Partial<Parameters<typeof openMercadoPago>[0]> = {}, patienceMs = 5_000) =>
  openMercadoPago(
    { url: there.url, token: there.token, webhookSecret: SECRET, ...given },
    outbound.by({ target: 'payments', companyId: null }),
    patienceMs,
  )
beforeEach(async () => {
  now = Date.now()
  there = await startMercadoPagoServer({ now: () => new Date(now) })
  outbound = openOutbound({ outboundAllow: ['127.0.0.1'] })
  provider = opened()
})
afterEach(async () => {
  await outbound.close()
  await there.close()
  expect([there.unknown, there.errors]).toEqual([[], []])
})

const held = async () => {}
const charge = (given: Partial<Charge> = {}): Charge => ({
  reference: 'balcao:invoice-1',
  customer: {
    ...{ reference: 'company-7', name: 'Padaria Central', document: '11.222.333/0001-81' },
    email: 'ana@padaria.test',
    address: {
      ...{ cep: '01310-100', street: 'Avenida Paulista', number: '1000', district: 'Bela Vista' },
      ...{ city: 'São Paulo', state: 'SP' },
    },
  },
  ...{ cents: 19_990, billingType: 'PIX', dueDate: '2999-01-10', description: 'Plano Básico' },
  late: null,
  ...given,
})
const made = async (given: Partial<Charge> = {}) =>
  (await provider.createCharge(charge(given), held)).chargeId
const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (refused: unknown) => refused,
  )
  if (!(error instanceof ProviderRefused)) throw new Error(`not refused: ${error}`)
  return { reason: error.reason, isForEver: error.isForEver, message: error.message }
}

describe('a charge', () => {
  test('by PIX leads to the page with its code, and by boleto to the boleto with the address', async () => {
    const pix = await provider.createCharge(charge(), held)
    const boleto = await provider.createCharge(charge({ reference: 'b', billingType: 'BOLETO' }), held)
    const [first, second] = there.payments
    expect([pix, boleto]).toEqual([
      {
        chargeId: String(first!.id),
        paymentLink: first!.point_of_interaction.transaction_data!.ticket_url,
      },
      { chargeId: String(second!.id), paymentLink: second!.transaction_details.external_resource_url },
    ])
    expect(first).toMatchObject({
      ...{ transaction_amount: 199.9, external_reference: 'balcao:invoice-1', description: 'Plano Básico' },
      payer: { first_name: 'Padaria Central', identification: { type: 'CNPJ', number: '11222333000181' } },
    })
    expect(second!.payer).toMatchObject({ address: { zip_code: '01310100', federal_unit: 'SP' } })
    expect(await provider.find(pix.chargeId)).toEqual({
      ...{ status: 'PENDING', payDate: null, receiptUrl: '', value: 19_990, refundedValue: 0 },
    })
  })

  test('is made once though its answer got lost and the search does not find it yet', async () => {
    there.loseAnswer('POST /v1/payments')
    expect(await refusalOf(provider.createCharge(charge(), held))).toMatchObject({ reason: 'silent' })
    const [hidden] = there.payments.splice(0)
    const { chargeId } = await provider.createCharge(charge(), held)
    expect(chargeId).toBe(String(hidden!.id))
  })

  test('is made anew when the last one was cancelled, expired or given back, with another key', async () => {
    const first = await made()
    expect(await made()).toBe(first)
    await provider.cancelCharge(first)
    await provider.cancelCharge(first)
    const second = await made()
    there.expire(second)
    const third = await made()
    there.pay(third)
    const whole = { id: 1, reason: 'Em dobro', upTo: 2 ** 31, isAsked: false }
    await provider.refund(third, whole)
    await provider.refund(third, whole)
    const fourth = await made()
    expect(new Set([first, second, third, fourth]).size).toBe(4)
    expect(await refusalOf(provider.createCharge(charge({ cents: 1 }), held))).toMatchObject({
      ...{ reason: 'refused', isForEver: true },
    })
  })

  test('can be paid for ten days after its day, and for no more than 29 days from now', async () => {
    const day = (days: number) => new Date(now + days * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10)
    for (const [at, days] of [0, 5, 60].entries()) await made({ reference: `r${at}`, dueDate: day(days) })
    expect(there.payments.map(one => one.date_of_expiration.slice(0, 10))).toEqual([
      day(10),
      day(15),
      day(29),
    ])
  })

  test.each([
    ['a card', { billingType: 'CREDIT_CARD' as const }, 'cobra aqui por PIX ou boleto'],
    ['a wrong document', { customer: { ...charge().customer, document: '1' } }, 'identification number'],
    ['no e-mail', { customer: { ...charge().customer, email: '' } }, 'payer.email must be a valid email'],
  ])('with %s is refused for ever, with its reason', async (_what, given, words) => {
    const refusal = await refusalOf(provider.createCharge(charge(given), held))
    expect([refusal.reason, refusal.isForEver]).toEqual(['refused', true])
    expect(refusal.message).toContain(words)
  })
})

test.each([
  [401, 'key'],
  [404, 'unknown'],
  [409, 'silent'],
  [429, 'busy'],
  [500, 'silent'],
])('an answer of %i has its own reason', async (status, reason) => {
  there.failNext(status, 'POST')
  expect((await refusalOf(provider.createCharge(charge(), held))).reason).toBe(reason)
})

test('a wrong token, no token, no answer and an unreadable answer have different reasons', async () => {
  const list = (given: Parameters<typeof opened>[0], patienceMs?: number) =>
    refusalOf(opened(given, patienceMs).list('2026-01-01', null))
  expect((await list({ token: 'APP_USR-errado' })).message).toBe('Mercado Pago: invalid access token (401)')
  expect((await list({ token: null })).reason).toBe('key')
  expect(opened({ token: null }).isSetUp).toBe(false)
  there.hang('GET')
  expect((await list({}, 100)).reason).toBe('silent')
  there.garble('GET')
  expect((await list({})).reason).toBe('nonsense')
})

test('each state of a payment has its meaning; money that is not released yet is promised', async () => {
  const states = async (...acts: [(id: string) => void, string][]) => {
    const id = await made({ reference: crypto.randomUUID() })
    for (const [act, status] of acts) {
      act(id)
      expect((await provider.find(id)).status).toBe(status)
    }
  }
  await states([id => there.pay(id, 14), 'CONFIRMED'], [there.settle, 'RECEIVED'], [there.refund, 'REFUNDED'])
  await states(
    [id => there.pay(id), 'RECEIVED'],
    [id => there.chargeBack(id), 'CONFIRMED'],
    [id => there.chargeBack(id, 'reimbursed'), 'RECEIVED'],
    [id => there.chargeBack(id, 'settled'), 'REFUNDED'],
  )
  await states([there.expire, 'EXPIRED'])
  expect((await provider.find('1')).status).toBe('GONE')
})

test('the cents that were given back are those of the refunds that are carried out; the rest is given back once', async () => {
  const id = await made()
  there.pay(id)
  const stateNow = async () => {
    const { status, refundedValue } = await provider.find(id)
    return [status, refundedValue]
  }
  there.beginRefund(id, 49.9)
  expect(await stateNow()).toEqual(['RECEIVED', 0])
  there.endRefund(id, 'approved')
  expect(await stateNow()).toEqual(['RECEIVED', 4_990])
  there.beginRefund(id, 10)
  there.endRefund(id, 'cancelled')
  expect(await stateNow()).toEqual(['RECEIVED', 4_990])
  // a page of a search may be without them
  const [payment] = there.payments
  const { refunds } = payment!
  payment!.refunds = []
  expect((await provider.list('2026-01-01', null)).charges).toMatchObject([{ refundedValue: 4_990 }])
  payment!.refunds = refunds
  const rest = { id: 1, reason: 'Em dobro', upTo: 2 ** 31, isAsked: false }
  expect(await provider.refund(id, rest)).toBe('done')
  expect(await provider.refund(id, rest)).toBe('done')
  expect(await stateNow()).toEqual(['REFUNDED', 19_990])
  expect(payment!.refunds.map(({ amount }) => amount)).toEqual([49.9, 10, 150])
})

test('a refund is done when all is given back: not beside a part that is under way', async () => {
  const id = await made()
  there.pay(id)
  there.beginRefund(id, 49.9)
  const rest = { id: 1, reason: 'Em dobro', upTo: 2 ** 31, isAsked: false }
  expect(await provider.refund(id, rest)).toBe('asked')
  there.endRefund(id, 'cancelled')
  expect(await refusalOf(provider.refund(id, { ...rest, upTo: 2 ** 31, isAsked: true }))).toMatchObject({
    ...{ reason: 'cancelled', isForEver: true },
  })
  expect(await provider.refund(id, { ...rest, id: 2 })).toBe('done')
})

test('a refund is asked for once though its answer got lost, its payment does not show it and another part was given back', async () => {
  const id = await made()
  there.pay(id)
  there.delayRefund(id)
  there.loseAnswer(`POST /v1/payments/${id}/refunds`)
  const wanted = { id: 7, reason: 'Em dobro', upTo: 2 ** 31, isAsked: false }
  expect(await refusalOf(provider.refund(id, wanted))).toMatchObject({ reason: 'silent' })
  const [payment] = there.payments
  const hidden = payment!.refunds.splice(0)
  there.refundPart(id, 10)
  expect(await provider.refund(id, wanted)).toBe('asked')
  expect(payment!.refunds.map(({ amount }) => amount)).toEqual([10])
  expect(hidden).toMatchObject([{ amount: 199.9 }])
})

test('a refund of a payment in dispute is asked for still; decided for the seller, it was cancelled', async () => {
  const id = await made()
  there.pay(id)
  const asked = { id: 1, reason: 'Em dobro', upTo: 2 ** 31, isAsked: true }
  there.chargeBack(id)
  expect(await provider.refund(id, asked)).toBe('asked')
  there.chargeBack(id, 'reimbursed')
  expect(await refusalOf(provider.refund(id, asked))).toMatchObject({ reason: 'cancelled' })
  there.chargeBack(id, 'settled')
  expect(await provider.refund(id, asked)).toBe('done')
})

test('refunds in another form say no sum, and delay no list', async () => {
  const id = await made()
  there.pay(id)
  for (const refunds of [{}, 'nada', [{ status: 'approved', amount: null }], [{}]]) {
    Object.assign(there.payments[0]!, { refunds, transaction_amount_refunded: 'nada' })
    const { charges } = await provider.list('2026-01-01', null)
    expect(charges).toMatchObject([{ status: 'RECEIVED', value: 19_990, refundedValue: null }])
    // what cannot be known is not asked for
    const refused = await refusalOf(provider.refund(id, { id: 1, reason: '', upTo: 2 ** 31, isAsked: false }))
    expect(refused).toMatchObject({ reason: 'nonsense', isForEver: false })
  }
})

test('the day of a payment is that of Brazil', async () => {
  const id = await made()
  now = Date.parse('2030-03-10T03:30:00Z') // on the clock of Mercado Pago's answers it is the 9th
  there.pay(id)
  expect((await provider.find(id)).payDate).toBe('2030-03-10')
})

test('a list goes on behind its last moment, however many are of one', async () => {
  await made()
  const [first] = there.payments.splice(0)
  for (let at = 0; at < 230; at++) {
    if (at === 20 || at > 180) now += 1_000
    there.payments.push({ ...first!, id: first!.id + at, date_created: momentOf(new Date(now)) })
  }
  const ids = there.payments.map(({ id }) => String(id))
  const seen = new Set<string>()
  let from: string | null = null
  let pages = 0
  do {
    const page: Awaited<ReturnType<PaymentProvider['list']>> = await provider.list('2026-01-01', from)
    for (const { chargeId } of page.charges) seen.add(chargeId)
    from = page.next
  } while (from !== null && ++pages < 20)
  expect([...seen].toSorted()).toEqual(ids.toSorted())
})

describe('an event', () => {
  const called = (secret: string, change: { query?: object; headers?: object; body?: string } = {}) => {
    const last = there.webhooks.events.at(-1)!
    const { headers } = there.webhooks.signed(last, { url: '', secret })
    return {
      headers: { ...headers, ...change.headers },
      query: { 'data.id': String(last.paymentId), type: 'payment', ...change.query },
      body: Buffer.from(change.body ?? last.body),
    }
  }
  const paymentIn = async (call: ReturnType<typeof called>) => (await provider.readEvent(call)).payment
  const reasonOf = (call: ReturnType<typeof called>, of = provider) =>
    of.readEvent(call).then(
      () => 'read',
      (error: unknown) => (error instanceof EventRefused ? error.reason : error),
    )

  test('names a payment, whose state is queried; its id is the same each time, and another in each state', async () => {
    const chargeId = await made()
    there.pay(chargeId)
    const first = await paymentIn(called(SECRET))
    expect(first).toMatchObject({
      ...{ kind: 'approved', status: 'RECEIVED', chargeId, reference: 'balcao:invoice-1', value: 19_990 },
      payDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    expect((await paymentIn(called(SECRET)))!.eventId).toBe(first!.eventId)
    const repeated = called(SECRET)
    there.chargeBack(chargeId)
    const disputed = await paymentIn(repeated)
    there.chargeBack(chargeId, 'settled')
    const lost = await paymentIn(repeated)
    expect([disputed!.status, lost!.status]).toEqual(['CONFIRMED', 'REFUNDED'])
    expect(new Set([first, disputed, lost].map(event => event!.eventId)).size).toBe(3)
  })

  test('is forged without its signature, with that of another secret, request, payment or time', async () => {
    await made()
    const signature = String(called(SECRET).headers['x-signature'])
    const forged = [
      called('outro'),
      called(SECRET, { headers: { 'x-signature': '' } }),
      called(SECRET, { headers: { 'x-signature': signature.replace(/v1=.*/, 'v1=') } }),
      called(SECRET, { headers: { 'x-signature': signature.replace(/ts=\d+/, 'ts=1') } }),
      called(SECRET, { headers: { 'x-request-id': 'outro' } }),
      called(SECRET, { query: { 'data.id': '1' } }),
    ]
    for (const call of forged) expect(await reasonOf(call)).toBe('forged')
    for (const webhookSecret of [null, ''])
      expect(await reasonOf(called(''), opened({ webhookSecret }))).toBe('forged')
  })

  test('that cannot be read, or whose body names another payment than its address, is malformed', async () => {
    const id = await made()
    for (const body of [
      'nada',
      '{}',
      '{"id":1,"type":"payment","data":{"id":"2"}}',
      `"${'x'.repeat(70_000)}"`,
    ])
      expect(await reasonOf(called(SECRET, { body }))).toBe('malformed')
    const other = JSON.stringify({ id: 1, type: 'plan', data: { id } })
    expect(await paymentIn(called(SECRET, { body: other }))).toBeNull()
  })

  test('whose payment cannot be queried now is to be sent again; one of an unknown payment is ignored', async () => {
    await made()
    there.failNext(500, 'GET')
    expect(await refusalOf(provider.readEvent(called(SECRET)))).toMatchObject({ reason: 'silent' })
    there.payments.splice(0)
    expect(await paymentIn(called(SECRET))).toBeNull()
  })
})
