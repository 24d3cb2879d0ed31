import { createHash } from 'node:crypto'
import { plainDocument } from '@balcao/contract/companies.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import type { NewsKind } from '@balcao/contract/payments.ts'
import { databaseDate } from '../platform/clock.ts'
import { externalIdOf } from '../platform/external.ts'
import type { Outside } from '../platform/outbound/outbound.ts'
import { type MercadoPagoCall, mercadoPagoCalls } from './mercadopago.calls.ts'
import { readMercadoPagoEvent } from './mercadopago.events.ts'
import {
  FoundPayments,
  isMercadoPagoDispute,
  isRefundOver,
  linkOf,
  MercadoPagoPayment,
  mercadoPagoRefunds,
  mercadoPagoState,
  mercadoPagoStateOrNull,
  RefundAnswer,
} from './mercadopago.shapes.ts'
import {
  type Charge,
  type ChargeState,
  centsOf,
  dayInBrazil,
  type EventCall,
  GONE,
  type PaymentProvider,
  type ProviderAccount,
  ProviderRefused,
  type ProviderReport,
  type WantedRefund,
} from './payments.ts'
import { shownText } from './provider.calls.ts'

const PATIENCE_MS = 15_000

/** Mercado Pago, https://www.mercadopago.com.br/developers: PIX and boletos by its API of payments. */
export function openMercadoPago(
  account: ProviderAccount,
  outbound: Pick<Outside, 'fetchOutside'>,
  patienceMs: number = PATIENCE_MS,
): PaymentProvider {
  const call = mercadoPagoCalls(account, outbound, patienceMs)
  return {
    name: 'mercadopago',
    isSetUp: Boolean(account.token && account.webhookSecret),
    // the least of each method of payment is not documented; its refusal is shown
    leastCents: 1,
    createCharge: (charge, leave) => createCharge(call, charge, leave),
    cancelCharge: chargeId => cancel(call, chargeId),
    chargeOf: async reference => (await paymentsOf(call, reference)).find(isAlive)?.id ?? null,
    find: chargeId => find(call, chargeId),
    list: (since, from) => list(call, since, from),
    refund: (chargeId, wanted) => refund(call, chargeId, wanted),
    readEvent: event => readEvent(call, account.webhookSecret, event),
    notes: null,
    autopay: null,
  }
}

async function createCharge(call: MercadoPagoCall, charge: Charge, leave: () => Promise<void>) {
  const known = await paymentsOf(call, charge.reference)
  const payment = known.find(isAlive) ?? (await makePayment(call, charge, known.length, leave))
  if (payment.transaction_amount !== reais(charge.cents))
    throw new ProviderRefused(
      'refused',
      `Mercado Pago: ${payment.id} has the reference ${charge.reference} and another value, R$ ${payment.transaction_amount}`,
    )
  const paymentLink = linkOf(payment)
  if (!paymentLink) throw new ProviderRefused('nonsense', `Mercado Pago: ${payment.id} has no page to pay it`)
  return { chargeId: payment.id, paymentLink }
}

/** The payments of a reference: an earlier answer may be lost, and an idempotency key expires. */
async function paymentsOf(call: MercadoPagoCall, reference: string): Promise<MercadoPagoPayment[]> {
  const query = new URLSearchParams({
    ...{ sort: 'date_created', criteria: 'desc' },
    external_reference: reference,
  })
  const { results } = await call(FoundPayments, 'GET', `/v1/payments/search?${query}`)
  return results.filter(one => one.external_reference === reference)
}

const isAlive = (payment: MercadoPagoPayment) =>
  !['REFUNDED', 'GONE', 'EXPIRED'].includes(mercadoPagoState(payment).status)

/** Each payment of a reference has its own key, so that a cancelled one is not returned again. */
async function makePayment(call: MercadoPagoCall, charge: Charge, made: number, leave: () => Promise<void>) {
  const body = bodyOf(charge)
  await leave()
  const idempotencyKey = keyOf(`${charge.reference}/${made}`)
  const payment = await call(MercadoPagoPayment, 'POST', '/v1/payments', { body, idempotencyKey })
  if (isAlive(payment)) return payment
  throw new ProviderRefused('refused', `Mercado Pago: ${payment.status_detail ?? payment.status}`)
}

function bodyOf(charge: Charge) {
  const { name, document, email, address } = charge.customer
  const number = plainDocument(document)
  const payer = {
    ...{ email, first_name: name, identification: { type: number.length > 11 ? 'CNPJ' : 'CPF', number } },
  }
  const shared = {
    transaction_amount: reais(charge.cents),
    description: cut(charge.description, 255),
    external_reference: charge.reference,
    date_of_expiration: expiryOf(charge.dueDate),
  }
  if (charge.billingType === 'PIX') return { ...shared, payment_method_id: 'pix', payer }
  if (charge.billingType === 'BOLETO')
    return { ...shared, payment_method_id: 'bolbradesco', payer: { ...payer, address: addressOf(address) } }
  throw new ProviderRefused('refused', 'Mercado Pago: cobra aqui por PIX ou boleto, não por cartão.')
}

const addressOf = ({ cep, street, number, district, city, state }: Charge['customer']['address']) => ({
  zip_code: cep.replace(/\D/g, ''),
  street_name: street,
  street_number: number,
  neighborhood: district,
  city,
  federal_unit: state,
})

/** Days after its due date on which it can be paid; then what is still owed gets another charge. */
const LATE_DAYS = 10
/** Mercado Pago accepts at most 30. */
const MOST_DAYS = 29

function expiryOf(dueDate: string): string {
  const last = daysFrom(dayInBrazil(databaseDate()), MOST_DAYS)
  const [first] = [daysFrom(dueDate, LATE_DAYS), last].toSorted()
  return `${first}T23:59:59.000-03:00`
}

/** The quotient of two whole numbers is the number nearest to the decimal, the very one that JSON writes as 19.99. */
const reais = (cents: number) => cents / 100

/** In the form of a UUID of version 4. */
function keyOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

async function cancel(call: MercadoPagoCall, chargeId: string): Promise<void> {
  try {
    await call(MercadoPagoPayment, 'PUT', pathOf(chargeId), { body: { status: 'cancelled' } })
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !error.isForEver) throw error
    const { status } = await find(call, chargeId)
    if (status !== 'GONE' && status !== 'EXPIRED') throw error
  }
}

async function find(call: MercadoPagoCall, chargeId: string): Promise<ChargeState> {
  const payment = await paymentOrNull(call, chargeId)
  return payment ? mercadoPagoState(payment) : GONE
}

const paymentOrNull = (call: MercadoPagoCall, chargeId: string) =>
  call(MercadoPagoPayment, 'GET', pathOf(chargeId)).catch(error => {
    if (error instanceof ProviderRefused && error.reason === 'unknown') return null
    throw error
  })

const PAGE = 100

/**
 * A page begins with the moment that the last one ended with, since an offset has an upper limit there; an offset is needed only
 * among payments of one moment.
 */
async function list(call: MercadoPagoCall, since: string, from: string | null) {
  const [begin = '', offset = '0'] = (from ?? `${since}T00:00:00.000-03:00`).split(' ')
  const query = new URLSearchParams({
    ...{ sort: 'date_created', criteria: 'asc', range: 'date_created', begin_date: begin, end_date: 'NOW' },
    ...{ limit: String(PAGE), offset },
  })
  const { results } = await call(FoundPayments, 'GET', `/v1/payments/search?${query}`)
  const charges = results.flatMap(payment => {
    const state = mercadoPagoStateOrNull(payment)
    return state ? [{ ...state, chargeId: payment.id, reference: payment.external_reference ?? '' }] : []
  })
  const last = results.at(-1)?.date_created
  if (!last || results.length < PAGE) return { charges, next: null }
  const isBehind = Date.parse(last) > Date.parse(begin)
  return { charges, next: isBehind ? `${last} 0` : `${begin} ${Number(offset) + results.length}` }
}

async function refund(call: MercadoPagoCall, chargeId: string, { id, isAsked, upTo }: WantedRefund) {
  const payment = await call(MercadoPagoPayment, 'GET', pathOf(chargeId))
  if (mercadoPagoState(payment).status === 'REFUNDED') return 'done'
  const known = mercadoPagoRefunds(payment)
  if (!known) throw new ProviderRefused('nonsense', `Mercado Pago: the refunds of ${chargeId} cannot be read`)
  const value = centsOf(payment.transaction_amount)
  const wanted = Math.min(value, upTo)
  const left = wanted - known.done - known.underWay
  if (left <= 0) return known.done >= wanted ? 'done' : 'asked'
  if (isAsked && isMercadoPagoDispute(payment)) return 'asked'
  if (isAsked) throw cancelledRefund(chargeId)
  const idempotencyKey = keyOf(`refund/${chargeId}/${id}`)
  const body = left < value ? { amount: reais(left) } : {}
  const { status } = await call(RefundAnswer, 'POST', `${pathOf(chargeId)}/refunds`, { body, idempotencyKey })
  if (isRefundOver(status)) throw cancelledRefund(chargeId)
  // another part may be cancelled yet: then not all is given back
  return status === 'approved' && known.underWay === 0 ? 'done' : 'asked'
}

const cancelledRefund = (chargeId: string) =>
  new ProviderRefused('cancelled', `Mercado Pago: the refund of ${chargeId} was cancelled`)

async function readEvent(
  call: MercadoPagoCall,
  secret: string | null,
  event: EventCall,
): Promise<ProviderReport> {
  const { paymentId, news, eventId: id } = readMercadoPagoEvent(secret, event)
  const payment = paymentId === null ? null : await paymentOrNull(call, paymentId)
  if (!payment) return { payment: null, news, noteId: null }
  const state = mercadoPagoStateOrNull(payment)
  const { status, status_detail } = payment
  const newsKind = newsOfStatus(status, state)
  // a notification may be sent again after the state changed; a chargeback has two states under one status
  const eventId = externalIdOf(`${id}:${state?.status ?? status}:${state?.refundedValue ?? ''}`)
  const about = { eventId, subject: payment.id, detail: shownText(`${status} ${status_detail ?? ''}`, 500) }
  const reference = payment.external_reference ?? ''
  return {
    payment: state && { ...state, eventId, kind: status, chargeId: payment.id, reference, mustAsk: false },
    news: newsKind && { ...about, event: 'payment', kind: newsKind, isOfCharge: newsKind !== 'unknown' },
    noteId: null,
  }
}

/** Why a master reads of a payment; null where its state says it all. */
function newsOfStatus(status: string, state: ChargeState | null): NewsKind | null {
  if (!state) return 'unknown'
  if (status === 'charged_back' || status === 'in_mediation') return 'dispute'
  return status === 'rejected' ? 'refused' : null
}

const pathOf = (chargeId: string) => `/v1/payments/${encodeURIComponent(chargeId)}`
