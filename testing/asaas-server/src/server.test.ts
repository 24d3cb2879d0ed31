import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AsaasServer, startAsaasServer } from './server.ts'

const NOON = new Date('2026-03-09T15:00:00Z')
const TOKEN = 'a-token-of-at-least-32-characters'
let asaas: AsaasServer
let now: Date
beforeEach(async () => {
  now = NOON
  asaas = await startAsaasServer({ now: () => now, webhooks: { pauses: [0] } })
})
afterEach(async () => {
  await asaas.close()
  expect([asaas.unknown, asaas.errors]).toEqual([[], []])
})

const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(asaas.url + path, {
    method,
    headers: { access_token: asaas.token, 'user-agent': 'teste', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, ...((await answer.json()) as Answer) }
}
/** What was answered, as far as it is looked at. */
interface Answer {
  id: string
  errors?: { code: string; description: string }[]
  data: { id: string }[]
}
const refusalOf = async (path: string, body: object) => {
  const { status, errors } = await ask('POST', path, body)
  return [status, ...(errors ?? []).map(({ code }) => code)]
}

const customer = { name: 'Padaria Central', cpfCnpj: '11.222.333/0001-81', externalReference: 'company-7' }
const asked = { billingType: 'PIX', value: 19.99, dueDate: '2026-03-09', externalReference: 'invoice-1' }
const charge = async (given: object = {}) => {
  const { id } = await ask('POST', '/customers', customer)
  return (await ask('POST', '/payments', { customer: id, ...asked, ...given })).id
}

describe('the key', () => {
  test('is asked for, and must be the right one', async () => {
    const answer = await fetch(`${asaas.url}/customers`)
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { errors: [{ code: 'access_token_not_found' }] },
    ])
    const wrong = await ask('GET', '/customers', undefined, { access_token: 'x' })
    expect(wrong).toMatchObject({ status: 401, errors: [{ code: 'invalid_access_token' }] })
    const nameless = await ask('GET', '/customers', undefined, { 'user-agent': '' })
    expect(nameless.status).toBe(400)
  })
})

describe('a customer', () => {
  test('is made, found by the reference and changed', async () => {
    const { id } = await ask('POST', '/customers', customer)
    await ask('POST', '/customers', { ...customer, externalReference: 'company-8' })
    await ask('PUT', `/customers/${id}`, { cpfCnpj: '529.982.247-25' })
    const found = await ask('GET', '/customers?externalReference=company-7')
    expect(found).toMatchObject({
      ...{ totalCount: 1, hasMore: false },
      data: [{ id, name: 'Padaria Central', cpfCnpj: '52998224725', personType: 'FISICA' }],
    })
  })

  test.each([
    ['11.222.333/0001-82', 'invalid_object'],
    ['529.982.247-24', 'invalid_object'],
    ['111.111.111-11', 'invalid_object'],
    ['12345', 'invalid_object'],
    ['', 'invalid_cpfCnpj'],
  ])('is refused with the document %s', async (cpfCnpj, code) => {
    expect(await refusalOf('/customers', { ...customer, cpfCnpj })).toEqual([400, code])
    expect(asaas.customers).toEqual([])
  })

  test('may have a CNPJ with letters', async () => {
    expect(await refusalOf('/customers', { ...customer, cpfCnpj: '12.ABC.345/01DE-35' })).toEqual([200])
  })
})

describe('a payment', () => {
  test('waits, with links to pay it, and is listed by its reference', async () => {
    const id = await charge({ billingType: 'BOLETO' })
    await charge({ externalReference: 'invoice-2' })
    expect(await ask('GET', `/payments/${id}`)).toMatchObject({
      ...{ status: 'PENDING', value: 19.99, netValue: 18, dueDate: '2026-03-09', deleted: false },
      invoiceUrl: expect.stringMatching(/^https:/),
      bankSlipUrl: expect.stringMatching(/^https:/),
    })
    expect((await ask('GET', '/payments?externalReference=invoice-1')).data.map(one => one.id)).toEqual([id])
  })

  test.each([
    [{ value: '19.99' }, 'invalid_value'],
    [{ value: 19.999 }, 'invalid_value'],
    [{ value: 4.99 }, 'invalid_object'],
    [{ billingType: 'CASH' }, 'invalid_billingType'],
    [{ dueDate: '09/03/2026' }, 'invalid_dueDate'],
    [{ dueDate: '2026-03-08' }, 'invalid_dueDate'],
    [{ customer: 'cus_nobody' }, 'invalid_customer'],
    [{ cents: 1999 }, 'invalid_cents'],
    [{ fine: { value: 2, type: 'PERCENT' } }, 'invalid_fine.type'],
    [{ interest: { value: 10.5 } }, 'invalid_interest.value'],
    [{ interest: { value: 1, type: 'PERCENTAGE' } }, 'invalid_type'],
  ])('is refused with %o', async (given, code) => {
    const { id } = await ask('POST', '/customers', customer)
    expect(await refusalOf('/payments', { customer: id, ...asked, ...given })).toEqual([400, code])
  })

  test('can be removed while it waits, and never once it is paid', async () => {
    const [waiting, paid] = [await charge(), await charge()]
    expect(await ask('DELETE', `/payments/${waiting}`)).toEqual({ status: 200, deleted: true, id: waiting })
    expect(await ask('GET', `/payments/${waiting}`)).toMatchObject({ status: 'PENDING', deleted: true })
    expect((await ask('GET', '/payments')).data.map(one => one.id)).toEqual([paid])
    expect(() => asaas.pay(waiting)).toThrow('is deleted')
    asaas.pay(paid)
    expect(await ask('DELETE', `/payments/${paid}`)).toMatchObject({
      ...{ status: 400, errors: [{ code: 'invalid_action' }] },
    })
  })
})

test('paid late, a payment is with fine and interest; without them it shows none', async () => {
  const late = { fine: { value: 2, type: 'PERCENTAGE' }, interest: { value: 1 } }
  const [inTime, tooLate, plain] = [await charge(late), await charge({ ...late, value: 100 }), await charge()]
  expect(await ask('GET', `/payments/${plain}`)).toMatchObject({
    ...{ fine: { value: 0, type: 'FIXED' }, interest: { value: 0, type: 'PERCENTAGE' } },
    ...{ originalValue: null, interestValue: null },
  })
  asaas.pay(inTime)
  expect(await ask('GET', `/payments/${inTime}`)).toMatchObject({
    ...{ value: 19.99, originalValue: null, interestValue: null },
    ...{ fine: { value: 2, type: 'PERCENTAGE' }, interest: { value: 1, type: 'PERCENTAGE' } },
  })
  now = new Date('2026-04-08T12:00:00-03:00')
  asaas.pay(tooLate)
  expect(await ask('GET', `/payments/${tooLate}`)).toMatchObject({
    ...{ value: 103, originalValue: 100, interestValue: 3, clientPaymentDate: '2026-04-08' },
  })
})

test('a payment is given back once it is paid, and lists narrow by day', async () => {
  const id = await charge()
  expect(await ask('POST', `/payments/${id}/refund`, {})).toMatchObject({ status: 400 })
  asaas.pay(id)
  expect(await ask('POST', `/payments/${id}/refund`, {})).toMatchObject({ status: 'REFUNDED' })
  expect((await ask('GET', '/payments?dateCreated[ge]=2026-03-09')).data).toHaveLength(1)
  expect((await ask('GET', '/payments?dateCreated[ge]=2026-03-10')).data).toEqual([])
})

test('a part is given back while the payment keeps its status; what waits or is cancelled does not count', async () => {
  const id = await charge()
  asaas.pay(id)
  expect(await ask('POST', `/payments/${id}/refund`, { value: 5 })).toMatchObject({
    ...{ status: 'RECEIVED', value: 19.99 },
    refunds: [{ dateCreated: '2026-03-09 12:00:00', status: 'DONE', value: 5 }],
  })
  asaas.beginRefund(id, 4.99)
  for (const body of [{}, { value: 10.01 }])
    expect(await refusalOf(`/payments/${id}/refund`, body)).toEqual([400, 'invalid_value'])
  asaas.endRefund(id, 'CANCELLED')
  expect(() => asaas.refundPart(id, 14.99)).toThrow('not a part')
  asaas.refundPart(id, 4.99)
  asaas.refund(id)
  expect(await ask('GET', `/payments/${id}`)).toMatchObject({ status: 'REFUNDED' })
  expect(asaas.webhooks.events.map(({ event }) => event)).toEqual([
    ...['PAYMENT_CREATED', 'PAYMENT_RECEIVED', 'PAYMENT_PARTIALLY_REFUNDED', 'PAYMENT_PARTIALLY_REFUNDED'],
    'PAYMENT_REFUNDED',
  ])
})

describe('webhooks', () => {
  /** A receiver that answers what a test wrote for it, else 200. */
  async function receiver(...answers: number[]) {
    const taken: { event: string; headers: IncomingHttpHeaders; body: string }[] = []
    const listening = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      taken.push({ event: JSON.parse(body).event, headers: request.headers, body })
      response.writeHead(answers.shift() ?? 200).end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => listening.once('listening', resolve))
    stops.push(() => listening.close())
    asaas.webhooks.tell(`http://127.0.0.1:${(listening.address() as AddressInfo).port}/asaas`, TOKEN)
    return { taken, events: () => taken.map(({ event }) => event) }
  }
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })

  test('tell of each step, with the token in a header', async () => {
    const { taken, events } = await receiver()
    const [pix, card] = [await charge(), await charge({ billingType: 'CREDIT_CARD' })]
    asaas.overdue(pix)
    asaas.pay(pix)
    asaas.pay(card)
    asaas.settle(card)
    asaas.refund(card)
    await asaas.webhooks.settled()
    expect(events()).toEqual([
      ...['PAYMENT_CREATED', 'PAYMENT_CREATED', 'PAYMENT_OVERDUE', 'PAYMENT_RECEIVED'],
      ...['PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED', 'PAYMENT_REFUNDED'],
    ])
    expect(taken[3]!.headers['asaas-access-token']).toBe(TOKEN)
    expect(JSON.parse(taken[3]!.body)).toMatchObject({
      ...{ id: expect.stringMatching(/^evt_/), dateCreated: '2026-03-09 12:00:00' },
      payment: {
        id: pix,
        status: 'RECEIVED',
        externalReference: 'invoice-1',
        clientPaymentDate: '2026-03-09',
      },
    })
    expect(() => asaas.webhooks.tell('http://127.0.0.1', 'short')).toThrow('32 to 255')
  })

  test('come again until they are answered with 200, and those behind them wait', async () => {
    const { events } = await receiver(500, 204, 302)
    asaas.pay(await charge())
    await asaas.webhooks.settled()
    expect(events()).toEqual([...Array(4).fill('PAYMENT_CREATED'), 'PAYMENT_RECEIVED'])
    expect(asaas.webhooks.attempts.map(({ outcome }) => outcome)).toEqual([500, 204, 302, 200, 200])
  })

  test('stop after fifteen failures in a row, and go on when somebody says so', async () => {
    const { events } = await receiver(...Array(15).fill(500))
    const id = await charge()
    await asaas.webhooks.settled()
    expect([events().length, asaas.webhooks.isPaused]).toEqual([15, true])
    asaas.pay(id)
    asaas.webhooks.resume()
    await asaas.webhooks.settled()
    expect(events().slice(15)).toEqual(['PAYMENT_CREATED', 'PAYMENT_RECEIVED'])
  })

  test('wait between two tries, and are tried at once where a test says so', async () => {
    const patient = await startAsaasServer()
    stops.push(() => patient.close())
    patient.webhooks.tell('http://127.0.0.1:9', TOKEN)
    const { id } = await (async () => {
      const headers = { access_token: patient.token }
      await fetch(`${patient.url}/customers`, { method: 'POST', headers, body: JSON.stringify(customer) })
      const body = JSON.stringify({ ...asked, customer: patient.customers[0]!.id, dueDate: '2999-01-01' })
      return (
        await fetch(`${patient.url}/payments`, { method: 'POST', headers, body })
      ).json() as Promise<Answer>
    })()
    expect(patient.payments[0]!.id).toBe(id)
    await patient.webhooks.settled()
    expect(patient.webhooks.attempts.map(({ outcome }) => outcome)).toEqual(['unanswered'])
    patient.webhooks.retry()
    await expect.poll(() => patient.webhooks.attempts.length).toBe(2)
  })

  test('come doubled, in disorder or never', async () => {
    const { taken, events } = await receiver()
    const id = await charge()
    const hold = asaas.webhooks.hold()
    asaas.overdue(id)
    asaas.pay(id)
    hold.release('reversed')
    asaas.webhooks.loseNext()
    asaas.refund(id)
    asaas.webhooks.again(asaas.webhooks.events[0]!)
    await asaas.webhooks.settled()
    expect(events()).toEqual(['PAYMENT_CREATED', 'PAYMENT_RECEIVED', 'PAYMENT_OVERDUE', 'PAYMENT_CREATED'])
    expect(taken.at(-1)!.body).toBe(taken[0]!.body)
    expect(asaas.webhooks.attempts.filter(({ outcome }) => outcome === 'lost')).toHaveLength(1)
  })
})

describe('on purpose', () => {
  test('a call fails, is not answered, or is answered by nobody though it was carried out', async () => {
    asaas.failNext(503, 'POST /v3/customers')
    expect((await ask('GET', '/customers')).status).toBe(200)
    expect((await ask('POST', '/customers', customer)).status).toBe(503)
    asaas.loseAnswer()
    await expect(ask('POST', '/customers', customer)).rejects.toThrow()
    expect(asaas.customers).toHaveLength(1)
    asaas.hang()
    const headers = { access_token: asaas.token }
    const hanging = fetch(`${asaas.url}/customers`, { headers, signal: AbortSignal.timeout(50) })
    await expect(hanging).rejects.toThrow('timeout')
    expect(asaas.calls.map(({ status }) => status)).toEqual([200, 503, 0, 0])
  })

  test('what nobody answers is noted', async () => {
    expect((await ask('POST', '/payments/pay_1/split', {})).status).toBe(404)
    expect(asaas.unknown.splice(0)).toEqual(['POST /v3/payments/pay_1/split'])
  })
})
