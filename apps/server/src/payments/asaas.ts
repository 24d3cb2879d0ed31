import { cut } from '@balcao/contract/cut.rules.ts'
import type { Outside } from '../platform/outbound/outbound.ts'
import { asaasAutopay } from './asaas.autopay.ts'
import { type AsaasCall, callsOf } from './asaas.calls.ts'
import { asaasCustomer, byReference, hasReference } from './asaas.customers.ts'
import { readAsaasEvent } from './asaas.events.ts'
import { asaasNotes } from './asaas.notes.ts'
import {
  AsaasPayment,
  asaasRefunds,
  isAsaasDispute,
  listOf,
  Removed,
  stateOf,
  stateOrNull,
} from './asaas.shapes.ts'
import {
  type Charge,
  type ChargeState,
  centsOf,
  GONE,
  type PaymentProvider,
  type ProviderAccount,
  ProviderRefused,
  type WantedRefund,
} from './payments.ts'

const PATIENCE_MS = 15_000
/** Asaas recommends at least a minute where a card is charged. */
const CARD_PATIENCE_MS = 60_000
/** Less is refused (`invalid_value`), whatever it is paid by. */
const LEAST_CENTS = 500

/** Asaas, https://docs.asaas.com: boletos, PIX and cards of Brazil. Its webhook’s token has 32 to 255 characters. */
export function openAsaas(
  account: ProviderAccount,
  outbound: Pick<Outside, 'fetchOutside'>,
  patienceMs: number = PATIENCE_MS,
): PaymentProvider {
  const call = callsOf(account, outbound, patienceMs)
  return {
    name: 'asaas',
    isSetUp: Boolean(account.token && account.webhookSecret),
    leastCents: LEAST_CENTS,
    createCharge: (charge, leave) => createCharge(call, charge, leave),
    cancelCharge: chargeId => cancel(call, chargeId),
    chargeOf: async reference => (await paymentOf(call, reference))?.id ?? null,
    find: chargeId => find(call, chargeId),
    list: (since, from) => list(call, since, Number(from ?? 0)),
    refund: (chargeId, wanted) => refund(call, chargeId, wanted),
    readEvent: async event => readAsaasEvent(account.webhookSecret, event),
    notes: asaasNotes(call),
    autopay: asaasAutopay(call, callsOf(account, outbound, Math.max(patienceMs, CARD_PATIENCE_MS))),
  }
}

type Leave = () => Promise<void>

async function createCharge(call: AsaasCall, charge: Charge, leave: Leave) {
  const known = await paymentOf(call, charge.reference)
  const { id, invoiceUrl } = known ? ofValue(known, charge) : await makePayment(call, charge, leave)
  return { chargeId: id, paymentLink: invoiceUrl }
}

/** Asaas creates the same charge twice, so it is searched first: an earlier answer may be lost. */
async function paymentOf(call: AsaasCall, reference: string): Promise<AsaasPayment | undefined> {
  const { data } = await call(listOf(AsaasPayment), 'GET', `/payments?${byReference(reference)}`)
  return data.find(one => hasReference(reference, one) && one.status !== 'REFUNDED')
}

function ofValue(payment: AsaasPayment, { reference, cents }: Charge): AsaasPayment {
  // interest that a late customer paid is in the value
  const value = payment.originalValue ?? payment.value
  if (value === reais(cents)) return payment
  throw new ProviderRefused(
    'refused',
    `Asaas: ${payment.id} has the reference ${reference} and another value, R$ ${value}`,
  )
}

async function makePayment(call: AsaasCall, charge: Charge, leave: Leave) {
  const customer = await asaasCustomer(call, charge.customer)
  await leave()
  return call(AsaasPayment, 'POST', '/payments', {
    customer,
    billingType: charge.billingType,
    value: reais(charge.cents),
    dueDate: charge.dueDate,
    description: cut(charge.description, LONGEST_DESCRIPTION),
    externalReference: charge.reference,
    ...lateOf(charge),
    ...(charge.authorizationId && { pixAutomaticAuthorizationId: charge.authorizationId }),
  })
}

/** Percent: the fine once, the interest a month. A charge that is made late already asks for nothing on top of it. */
const lateOf = ({ late }: Charge) =>
  late && {
    ...(late.fine > 0 && { fine: { value: late.fine / 100, type: 'PERCENTAGE' } }),
    ...(late.interest > 0 && { interest: { value: late.interest / 100 } }),
  }

const LONGEST_DESCRIPTION = 500

/** The quotient of two whole numbers is the number nearest to the decimal, the very one that JSON writes as 19.99. */
const reais = (cents: number) => cents / 100

async function cancel(call: AsaasCall, chargeId: string): Promise<void> {
  try {
    await call(Removed, 'DELETE', pathOf(chargeId))
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !error.isForEver) throw error
    if (error.reason !== 'unknown' && (await find(call, chargeId)).status !== 'GONE') throw error
  }
}

async function find(call: AsaasCall, chargeId: string): Promise<ChargeState> {
  const payment = await call(AsaasPayment, 'GET', pathOf(chargeId)).catch(error => {
    if (error instanceof ProviderRefused && error.reason === 'unknown') return null
    throw error
  })
  return payment ? stateOf(payment) : GONE
}

const PAGE = 100

async function list(call: AsaasCall, since: string, offset: number) {
  const query = new URLSearchParams({ 'dateCreated[ge]': since, limit: String(PAGE), offset: String(offset) })
  const { data, hasMore } = await call(listOf(AsaasPayment), 'GET', `/payments?${query}`)
  const charges = data.flatMap(payment => {
    const state = stateOrNull(payment)
    return state ? [{ ...state, chargeId: payment.id, reference: payment.externalReference ?? '' }] : []
  })
  return { charges, next: hasMore && data.length > 0 ? String(offset + data.length) : null }
}

async function refund(call: AsaasCall, chargeId: string, { reason, isAsked, upTo }: WantedRefund) {
  const payment = await call(AsaasPayment, 'GET', pathOf(chargeId))
  const left = leftOf(payment, upTo)
  if (left === 0) return stageOf(payment, upTo)
  if (isAsked && isAsaasDispute(payment)) return 'asked'
  if (isAsked) throw new ProviderRefused('cancelled', `Asaas: the refund of ${chargeId} was cancelled`)
  const description = cut(reason, LONGEST_DESCRIPTION)
  // without a value Asaas gives back all of the charge, and refuses that once a part was given back
  const body = { description, ...(left < centsOf(payment.value) && { value: reais(left) }) }
  try {
    return stageOf(await call(AsaasPayment, 'POST', `${pathOf(chargeId)}/refund`, body), upTo)
  } catch (error) {
    if (!(error instanceof ProviderRefused) || error.reason !== 'refused') throw error
    // an earlier answer may be lost whose refund the query before did not show yet
    const current = await call(AsaasPayment, 'GET', pathOf(chargeId))
    if (leftOf(current, upTo) > 0) throw error
    return stageOf(current, upTo)
  }
}

/** The cents that are missing to so many given back in all, or to be. */
function leftOf(payment: AsaasPayment, upTo: number): number {
  if (['REFUNDED', 'REFUND_REQUESTED', 'REFUND_IN_PROGRESS'].includes(payment.status)) return 0
  const known = asaasRefunds(payment)
  if (!known) throw new ProviderRefused('nonsense', `Asaas: the refunds of ${payment.id} cannot be read`)
  return Math.max(Math.min(centsOf(payment.value), upTo) - known.done - known.underWay, 0)
}

/** One that is REFUNDED may list a refund that is not carried out yet. */
function stageOf(payment: AsaasPayment, upTo: number): 'done' | 'asked' {
  const { done, underWay } = asaasRefunds(payment) ?? { done: 0, underWay: 0 }
  const isRefunded = payment.status === 'REFUNDED' && underWay === 0
  return isRefunded || done >= Math.min(centsOf(payment.value), upTo) ? 'done' : 'asked'
}

const pathOf = (chargeId: string) => `/payments/${encodeURIComponent(chargeId)}`
