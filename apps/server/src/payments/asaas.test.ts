import { type AsaasServer, startAsaasServer } from '@balcao/asaas-server/server.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Outbound, openOutbound } from '../platform/outbound/outbound.ts'
import { openAsaas } from './asaas.ts'
import {
  type Charge,
  EventRefused,
  type PaymentEvent,
  type PaymentProvider,
  ProviderRefused,
} from './payments.ts'

const WEBHOOK_TOKEN = 'segredo-do-webhook-com-32-caracteres'
const DUE = '2999-01-10'

let asaas: AsaasServer
let outbound: Outbound
let provider: PaymentProvider
const opened = (given: Partial<Parameters<typeof openAsaas>[0]> = {}, patienceMs = 5_000) =>
  openAsaas(
    { url: asaas.url, token: asaas.token, webhookSecret: WEBHOOK_TOKEN, ...given },
    outbound.by({ target: 'payments', companyId: null }),
    patienceMs,
  )
beforeEach(async () => {
  asaas = await startAsaasServer({ webhooks: { pauses: [0] } })
  outbound = openOutbound({ outboundAllow: ['127.0.0.1'] })
  provider = opened()
})
afterEach(async () => {
  await outbound.close()
  await asaas.close()
  expect([asaas.unknown, asaas.errors]).toEqual([[], []])
})

const padaria = {
  reference: 'company-7',
  name: 'Padaria Central',
  document: '11.222.333/0001-81',
  email: 'ana@padaria.test',
  address: { cep: '', street: '', number: '', district: '', city: '', state: '' },
}
const charge = (given: Partial<Charge> = {}): Charge => ({
  reference: 'invoice-1',
  customer: padaria,
  cents: 19_990,
  billingType: 'PIX',
  dueDate: DUE,
  description: 'Plano Básico, março de 2999',
  late: null,
  ...given,
})
const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (refused: unknown) => refused,
  )
  if (!(error instanceof ProviderRefused)) throw new Error(`not refused: ${error}`)
  return { reason: error.reason, isForEver: error.isForEver, message: error.message }
}

describe('a charge', () => {
  test('is made for its customer, and leads to the page where it is paid', async () => {
    const { chargeId, paymentLink } = await provider.createCharge(charge(), held)
    const [payment] = asaas.payments
    expect(payment).toMatchObject({
      ...{ id: chargeId, invoiceUrl: paymentLink, value: 199.9, billingType: 'PIX', dueDate: DUE },
      ...{ externalReference: 'invoice-1', customer: asaas.customers[0]!.id },
    })
    expect(asaas.customers).toMatchObject([
      {
        name: 'Padaria Central',
        cpfCnpj: '11222333000181',
        email: 'ana@padaria.test',
        externalReference: 'company-7',
      },
    ])
    expect(await provider.find(chargeId)).toEqual({
      ...{ status: 'PENDING', payDate: null, receiptUrl: '', value: 19_990, refundedValue: 0 },
    })
  })

  test('is made once, however often it is asked for', async () => {
    const first = await provider.createCharge(charge(), held)
    expect(await provider.createCharge(charge(), held)).toEqual(first)
    expect(asaas.payments).toHaveLength(1)
  })

  test.each(['POST /v3/payments', 'POST /v3/customers'])(
    'is made once though the answer to %s got lost',
    async call => {
      asaas.loseAnswer(call)
      expect(await refusalOf(provider.createCharge(charge(), held))).toMatchObject({
        reason: 'silent',
        isForEver: false,
      })
      const { chargeId } = await provider.createCharge(charge(), held)
      expect(asaas.payments.map(({ id }) => id)).toEqual([chargeId])
      expect(asaas.customers).toHaveLength(1)
    },
  )

  test('is of the same customer as another that is made at once, though the customer is made twice', async () => {
    const isAnswered = Promise.withResolvers<void>()
    asaas.answerAfter(isAnswered.promise, 'GET /v3/customers')
    const both = ['invoice-1', 'invoice-2'].map(reference =>
      provider.createCharge(charge({ reference }), held),
    )
    await expect.poll(() => asaas.payments.length).toBe(1)
    isAnswered.resolve()
    await Promise.all(both)
    const [first, second] = asaas.customers
    expect(second).toMatchObject({ externalReference: first!.externalReference })
    expect(asaas.payments.map(({ customer }) => customer)).toEqual([first!.id, first!.id])
  })

  test('is made anew when the last one was cancelled or given back', async () => {
    const first = await provider.createCharge(charge(), held)
    await provider.cancelCharge(first.chargeId)
    const second = await provider.createCharge(charge(), held)
    expect(second.chargeId).not.toBe(first.chargeId)
    asaas.pay(second.chargeId)
    asaas.refund(second.chargeId)
    expect((await provider.createCharge(charge(), held)).chargeId).not.toBe(second.chargeId)
  })

  test('is refused where its reference is that of another value', async () => {
    const { chargeId } = await provider.createCharge(charge(), held)
    expect(await refusalOf(provider.createCharge(charge({ cents: 19_991 }), held))).toEqual({
      ...{ reason: 'refused', isForEver: true },
      message: `Asaas: ${chargeId} has the reference invoice-1 and another value, R$ 199.9`,
    })
  })

  test('keeps its customer, with the document that he has today', async () => {
    await provider.createCharge(charge(), held)
    const customer = { ...padaria, document: '529.982.247-25', email: '' }
    await provider.createCharge(charge({ reference: 'invoice-2', customer }), held)
    await provider.createCharge(
      charge({ reference: 'invoice-3', customer: { ...padaria, reference: 'company-8' } }),
      held,
    )
    expect(asaas.payments.map(one => one.customer)).toEqual([0, 0, 1].map(at => asaas.customers[at]!.id))
    expect(asaas.customers.map(({ cpfCnpj }) => cpfCnpj)).toEqual(['52998224725', '11222333000181'])
  })

  test('asks for its value to the cent', async () => {
    const all = [500, 501, 1_999, 5_729, 10_010, 83_333, 100_000_001, 999_999_999]
    for (const cents of all) await provider.createCharge(charge({ reference: `of-${cents}`, cents }), held)
    const asked = asaas.calls.filter(({ method, path }) => `${method} ${path}` === 'POST /v3/payments')
    expect(asked.map(({ body }) => JSON.stringify(body).match(/"value":([\d.]+)/)![1])).toEqual([
      ...['5', '5.01', '19.99', '57.29', '100.1', '833.33', '1000000.01', '9999999.99'],
    ])
  })
})

describe('Asaas refuses', () => {
  test.each([
    [
      'a wrong document',
      { customer: { ...padaria, document: '11.222.333/0001-82' } },
      'O CPF/CNPJ informado é inválido.',
    ],
    ['a day that is over', { dueDate: '2020-01-01' }, 'A data de vencimento não pode ser inferior à hoje.'],
    ['too little', { cents: 499 }, 'não pode ser menor que R$ 5,00'],
  ])('%s for ever, in its own words', async (_what, given, words) => {
    const refusal = await refusalOf(provider.createCharge(charge(given), held))
    expect(refusal).toMatchObject({ reason: 'refused', isForEver: true })
    expect(refusal.message).toContain(words)
    expect(asaas.payments).toEqual([])
  })

  test('a wrong key, and does not tell it to the log', async () => {
    const refusal = await refusalOf(opened({ token: 'chave' }).createCharge(charge(), held))
    expect(refusal).toMatchObject({ reason: 'key', isForEver: false })
    expect(refusal.message).toBe('Asaas: A … de API fornecida é inválida. (401)')
  })

  test.each([
    [429, 'busy'],
    [403, 'key'],
    [500, 'silent'],
    [503, 'silent'],
  ])('with %i for now', async (status, reason) => {
    asaas.failNext(status)
    expect(await refusalOf(provider.createCharge(charge(), held))).toMatchObject({ reason, isForEver: false })
    expect((await provider.createCharge(charge(), held)).chargeId).toBe(asaas.payments[0]!.id)
  })
})

describe('no answer', () => {
  test('is waited for so long and no longer', async () => {
    asaas.hang()
    expect(await refusalOf(opened({}, 100).createCharge(charge(), held))).toEqual({
      ...{ reason: 'silent', isForEver: false, message: 'Asaas: no answer within 100 ms' },
    })
  })

  test('comes from where nobody listens', async () => {
    const nowhere = opened({ url: 'http://127.0.0.1:9/v3' })
    expect(await refusalOf(nowhere.find('pay_1'))).toMatchObject({ reason: 'silent', isForEver: false })
  })

  test('is an answer that is none', async () => {
    asaas.garble()
    expect(await refusalOf(provider.createCharge(charge(), held))).toMatchObject({
      reason: 'nonsense',
      isForEver: false,
    })
  })
})

describe('a charge that is cancelled', () => {
  test('is gone, also when it is cancelled twice or the answer got lost', async () => {
    const { chargeId } = await provider.createCharge(charge(), held)
    asaas.loseAnswer('DELETE')
    expect(await refusalOf(provider.cancelCharge(chargeId))).toMatchObject({ reason: 'silent' })
    await provider.cancelCharge(chargeId)
    expect(await provider.find(chargeId)).toMatchObject({ status: 'GONE', payDate: null, receiptUrl: '' })
    await provider.cancelCharge('pay_never')
    expect((await provider.find('pay_never')).status).toBe('GONE')
  })

  test('must not be paid yet', async () => {
    const { chargeId } = await provider.createCharge(charge(), held)
    asaas.pay(chargeId)
    const refusal = await refusalOf(provider.cancelCharge(chargeId))
    expect(refusal).toMatchObject({ reason: 'refused', isForEver: true })
    expect(refusal.message).toContain('Somente cobranças aguardando pagamento ou vencidas')
  })

  test('cannot lead to another path of the API', async () => {
    await provider.cancelCharge('../customers/cus_1')
    expect(asaas.calls.map(({ path }) => path)).toEqual(['/v3/payments/..%2Fcustomers%2Fcus_1'])
    asaas.unknown.splice(0)
  })
})

/** Locks the row exclusively. */
const held = async () => {}

test('the state of a charge is found without an event', async () => {
  const { chargeId } = await provider.createCharge(charge({ billingType: 'CREDIT_CARD' }), held)
  const statusNow = async () => (await provider.find(chargeId)).status
  asaas.overdue(chargeId)
  expect(await statusNow()).toBe('OVERDUE')
  asaas.pay(chargeId)
  expect(await provider.find(chargeId)).toEqual({
    status: 'CONFIRMED',
    payDate: asaas.payments[0]!.clientPaymentDate,
    refundedValue: 0,
    isByCard: true,
    receiptUrl: asaas.payments[0]!.transactionReceiptUrl,
    value: 19_990,
    card: { token: asaas.cards[0]!.token, brand: 'MASTERCARD', lastDigits: '8829' },
  })
  asaas.settle(chargeId)
  expect(await statusNow()).toBe('RECEIVED')
  asaas.refund(chargeId)
  expect(await statusNow()).toBe('REFUNDED')
})

test('a refund that is refused is queried once more: what an earlier answer asked for may show only then', async () => {
  const { chargeId } = await provider.createCharge(charge(), held)
  asaas.pay(chargeId)
  const wanted = { id: 1, reason: 'Em dobro', upTo: 2 ** 31, isAsked: false }
  asaas.failNext(400, `POST /v3/payments/${chargeId}/refund`)
  expect(await refusalOf(provider.refund(chargeId, wanted))).toMatchObject({ reason: 'refused' })
  const { url, token } = asaas
  const late = openAsaas(
    { url, token, webhookSecret: WEBHOOK_TOKEN },
    {
      fetchOutside(address, given) {
        if (given?.method === 'POST') asaas.refund(chargeId)
        return outbound.by({ target: 'payments', companyId: null }).fetchOutside(address, given)
      },
    },
  )
  expect(await late.refund(chargeId, wanted)).toBe('done')
})

test.each([
  ['RECEIVED', 'CANCELLED', 'refused'],
  ['CHARGEBACK_DISPUTE', 'CANCELLED', 'asked'],
  ['REFUNDED', 'PENDING', 'asked'],
  ['REFUNDED', 'DONE', 'done'],
])('an asked refund of a payment that is %s, %s in its list, is %s', async (status, listed, stage) => {
  const { chargeId } = await provider.createCharge(charge(), held)
  asaas.pay(chargeId)
  Object.assign(asaas.payments[0]!, { status, refunds: [{ status: listed, value: 199.9 }] })
  const asked = provider.refund(chargeId, { id: 1, reason: 'Em dobro', upTo: 2 ** 31, isAsked: true })
  if (stage === 'refused') expect(await refusalOf(asked)).toMatchObject({ reason: 'cancelled' })
  else expect(await asked).toBe(stage)
})

describe('an event', () => {
  let receiver: FastifyInstance
  let notified: (PaymentEvent | null)[]
  let address: string
  /** As a route uses it: every input is answered, and 500 is a defect. */
  beforeEach(async () => {
    notified = []
    receiver = Fastify()
    receiver.removeAllContentTypeParsers()
    receiver.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    receiver.post('/asaas', async (request, reply) => {
      try {
        const { headers, body } = request
        const { payment } = await provider.readEvent({ headers, query: {}, body: body as Buffer })
        notified.push(payment)
        return reply.code(200).send()
      } catch (error) {
        if (!(error instanceof EventRefused)) throw error
        return reply.code(error.reason === 'forged' ? 401 : 400).send()
      }
    })
    address = `${await receiver.listen({ port: 0, host: '127.0.0.1' })}/asaas`
    asaas.webhooks.tell(address, WEBHOOK_TOKEN)
  })
  afterEach(() => receiver.close())
  const received = async () => {
    await asaas.webhooks.settled()
    return notified.flatMap(one => (one ? [one] : []))
  }
  const post = async (
    body: string,
    headers: Record<string, string> = { 'asaas-access-token': WEBHOOK_TOKEN },
  ) =>
    (
      await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
    ).status

  test('tells of a PIX that came late, with its day and its receipt', async () => {
    const { chargeId } = await provider.createCharge(charge(), held)
    asaas.overdue(chargeId)
    asaas.pay(chargeId)
    const [payment] = asaas.payments
    const about = {
      ...{ chargeId, reference: 'invoice-1', value: 19_990, refundedValue: 0 },
      eventId: expect.stringMatching(/^evt_/),
      mustAsk: false,
    }
    expect(await received()).toEqual([
      { ...about, kind: 'overdue', status: 'OVERDUE', payDate: null, receiptUrl: '' },
      {
        ...{ ...about, kind: 'received', status: 'RECEIVED' },
        ...{ payDate: payment!.clientPaymentDate, receiptUrl: payment!.transactionReceiptUrl },
      },
    ])
  })

  test('tells of a card that is confirmed, received and given back', async () => {
    const { chargeId } = await provider.createCharge(charge({ billingType: 'CREDIT_CARD' }), held)
    asaas.pay(chargeId)
    asaas.settle(chargeId)
    asaas.refund(chargeId)
    expect((await received()).map(({ kind, status }) => [kind, status])).toEqual([
      ['confirmed', 'CONFIRMED'],
      ['received', 'RECEIVED'],
      ['refunded', 'REFUNDED'],
    ])
  })

  test('tells of a part that was given back, with the sum until then; what waits or was cancelled is none', async () => {
    const { chargeId } = await provider.createCharge(charge({ billingType: 'CREDIT_CARD' }), held)
    asaas.pay(chargeId)
    asaas.refundPart(chargeId, 49.9)
    asaas.settle(chargeId)
    asaas.beginRefund(chargeId, 10)
    asaas.endRefund(chargeId, 'CANCELLED')
    asaas.beginRefund(chargeId, 50)
    asaas.refundPart(chargeId, 0.01)
    expect((await provider.find(chargeId)).refundedValue).toBe(4_991)
    asaas.endRefund(chargeId, 'DONE')
    const wanted = { id: 1, reason: 'Em dobro', upTo: 2 ** 31, isAsked: false }
    expect(await provider.refund(chargeId, wanted)).toBe('done')
    expect(await provider.refund(chargeId, wanted)).toBe('done')
    const events = (await received()).slice(1)
    expect(events.map(({ kind, status, refundedValue }) => [kind, status, refundedValue])).toEqual([
      ['partlyRefunded', 'CONFIRMED', 4_990],
      ['received', 'RECEIVED', 4_990],
      ['partlyRefunded', 'RECEIVED', 4_991],
      ['partlyRefunded', 'RECEIVED', 9_991],
      ['refunded', 'REFUNDED', 19_990],
    ])
    // an event without its refunds says no sum
    const payment = { id: chargeId, status: 'RECEIVED', value: 199.9 }
    await post(JSON.stringify({ id: 'evt_1', event: 'PAYMENT_PARTIALLY_REFUNDED', payment }))
    expect(notified.at(-1)).toMatchObject({ status: 'RECEIVED', refundedValue: null })
  })

  test.each([{}, 'nada', [{ status: 'DONE', value: null }], [{ value: 10 }]])(
    'with the refunds %o says no sum of them, and its charge no other than that in a list',
    async refunds => {
      const { chargeId } = await provider.createCharge(charge(), held)
      asaas.pay(chargeId)
      const [payment] = asaas.payments
      Object.assign(payment!, { refunds })
      const body = JSON.stringify({ id: 'evt_1', event: 'PAYMENT_RECEIVED', payment })
      expect(await post(body)).toBe(200)
      expect(notified.at(-1)).toMatchObject({ status: 'RECEIVED', value: 19_990, refundedValue: null })
      const { charges } = await provider.list('2026-01-01', null)
      expect(charges).toMatchObject([{ status: 'RECEIVED', refundedValue: null }])
      // what cannot be known is not asked for
      const refused = await refusalOf(
        provider.refund(chargeId, { id: 1, reason: '', upTo: 2 ** 31, isAsked: false }),
      )
      expect(refused).toMatchObject({ reason: 'nonsense', isForEver: false })
    },
  )

  test('tells of a charge that somebody removed and brought back', async () => {
    const { chargeId } = await provider.createCharge(charge({ billingType: 'BOLETO' }), held)
    asaas.overdue(chargeId)
    await provider.cancelCharge(chargeId)
    asaas.restore(chargeId)
    expect((await received()).slice(1).map(({ kind, status }) => [kind, status])).toEqual([
      ['removed', 'GONE'],
      ['restored', 'OVERDUE'],
    ])
  })

  test('has the same id when it comes twice, and comes in any order', async () => {
    const { chargeId } = await provider.createCharge(charge(), held)
    const hold = asaas.webhooks.hold()
    asaas.overdue(chargeId)
    asaas.pay(chargeId)
    hold.release('reversed')
    asaas.webhooks.again(asaas.webhooks.events.at(-1)!)
    const events = await received()
    expect(events.map(({ kind }) => kind)).toEqual(['received', 'overdue', 'received'])
    expect(events[2]).toEqual(events[0])
    expect(events[1]!.eventId).not.toBe(events[0]!.eventId)
  })

  test('that is of no concern is answered, and nothing follows from it', async () => {
    await provider.createCharge(charge(), held)
    await asaas.webhooks.settled()
    expect(await post(JSON.stringify({ id: 'evt_2', event: 'SUBSCRIPTION_CREATED', subscription: {} }))).toBe(
      200,
    )
    expect(await post(JSON.stringify({ id: 'evt_3', event: 'constructor' }))).toBe(200)
    expect(notified).toEqual([null, null, null])
  })

  test('of a charge that was made elsewhere has no reference', async () => {
    const payment = { id: 'pay_9', status: 'RECEIVED', externalReference: null, paymentDate: '2026-03-09' }
    expect(await post(JSON.stringify({ id: 'evt_9', event: 'PAYMENT_RECEIVED', payment }))).toBe(200)
    expect(notified).toMatchObject([
      { chargeId: 'pay_9', reference: '', payDate: '2026-03-09', receiptUrl: '' },
    ])
  })

  test.each([
    ['none', {}],
    ['a wrong one', { 'asaas-access-token': 'x'.repeat(WEBHOOK_TOKEN.length) }],
    ['the beginning of it', { 'asaas-access-token': WEBHOOK_TOKEN.slice(0, -1) }],
  ])('is forged where the token is %s', async (_what, headers) => {
    const payment = { id: 'pay_1', status: 'RECEIVED' }
    expect(await post(JSON.stringify({ id: 'evt_1', event: 'PAYMENT_RECEIVED', payment }), headers)).toBe(401)
    expect(notified).toEqual([])
  })

  test('is never believed where no token is set', async () => {
    for (const webhookSecret of [null, '']) {
      const open = opened({ webhookSecret })
      expect(open.isSetUp).toBe(false)
      const call = { headers: { 'asaas-access-token': '' }, query: {}, body: Buffer.from('{}') }
      await expect(open.readEvent(call)).rejects.toThrow(EventRefused)
    }
  })

  test.each([
    ['no JSON', '<html>'],
    ['no object', '[]'],
    [
      'without an id',
      JSON.stringify({ event: 'PAYMENT_RECEIVED', payment: { id: 'pay_1', status: 'RECEIVED' } }),
    ],
    ['without its payment', JSON.stringify({ id: 'evt_1', event: 'PAYMENT_RECEIVED' })],
    [
      'with a day that is none',
      JSON.stringify({
        id: 'e',
        event: 'PAYMENT_RECEIVED',
        payment: { id: 'p', status: 'RECEIVED', paymentDate: 'ontem' },
      }),
    ],
    ['larger than any', `"${'x'.repeat(300_000)}"`],
  ])('that is %s cannot be read, which is said and breaks nothing', async (_what, body) => {
    expect(await post(body)).toBe(400)
    expect(notified).toEqual([])
  })
})

test('without a key nothing is asked', async () => {
  const unset = opened({ token: null })
  expect(unset.isSetUp).toBe(false)
  expect(await refusalOf(unset.createCharge(charge(), held))).toEqual({
    ...{ reason: 'key', isForEver: false, message: 'Asaas: no key is set' },
  })
  expect(asaas.calls).toEqual([])
  expect(provider.isSetUp).toBe(true)
})
