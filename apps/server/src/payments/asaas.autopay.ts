import { cut } from '@balcao/contract/cut.rules.ts'
import { z } from 'zod'
import type { AsaasCall } from './asaas.calls.ts'
import { asaasCustomer } from './asaas.customers.ts'
import { AsaasAuthorization, AsaasPayment, listOf, stateOf } from './asaas.shapes.ts'
import {
  type AuthorizationState,
  type AutopayService,
  type ChargeState,
  ProviderRefused,
  type WantedAuthorization,
} from './payments.ts'

/** PIX Automático with a first payment (journey 3), and cards that were typed on Asaas' page. https://docs.asaas.com/docs/implementation */
export const asaasAutopay = (call: AsaasCall, callPatiently: AsaasCall): AutopayService => ({
  authorize: (wanted, leave) => authorize(call, wanted, leave),
  authorizationOf: async wanted => (await waitingOf(call, wanted))?.id ?? null,
  find: authorizationId => find(call, authorizationId),
  revoke: authorizationId => revoke(call, authorizationId),
  payByCard: (chargeId, token, leave) => payByCard(call, callPatiently, { chargeId, token, leave }),
})

/** A day: the code of a first payment is good for so many seconds. */
const CODE_SECONDS = 86_400
/** Their field takes no more. */
const LONGEST = 35

const FREQUENCIES = { 1: 'MONTHLY', 3: 'QUARTERLY', 6: 'SEMIANNUALLY', 12: 'ANNUALLY' } as const

async function authorize(
  call: AsaasCall,
  wanted: WantedAuthorization,
  leave: () => Promise<void>,
): Promise<AuthorizationState> {
  const customerId = await asaasCustomer(call, wanted.customer)
  const known = await waitingOf(call, wanted, customerId)
  if (known?.payload || known?.status === 'ACTIVE') return shownState(known)
  // its code is lost, so it cannot be paid
  if (known) await revoke(call, known.id)
  await leave()
  const description = cut(wanted.description, LONGEST)
  const made = await call(AsaasAuthorization, 'POST', '/pix/automatic/authorizations', {
    ...{ customerId, contractId: wanted.reference, description, startDate: wanted.from },
    // without a value each debit has its own
    ...{ frequency: FREQUENCIES[wanted.months], paymentCreationMode: 'MANUAL' },
    immediateQrCode: { expirationSeconds: CODE_SECONDS, originalValue: wanted.cents / 100, description },
  })
  return shownState(made)
}

/** Asaas makes the same authorization twice, so it is searched first: an earlier answer may be lost. */
async function waitingOf(
  call: AsaasCall,
  { reference, customer }: Pick<WantedAuthorization, 'reference' | 'customer'>,
  customerId?: string,
): Promise<AsaasAuthorization | undefined> {
  const of = customerId ?? (await asaasCustomer(call, customer))
  const query = new URLSearchParams({ customerId: of, limit: '100' })
  const { data } = await call(listOf(AsaasAuthorization), 'GET', `/pix/automatic/authorizations?${query}`)
  return data.find(
    ({ contractId, status }) => contractId === reference && (status === 'CREATED' || status === 'ACTIVE'),
  )
}

async function find(call: AsaasCall, authorizationId: string): Promise<AuthorizationState> {
  const found = await call(AsaasAuthorization, 'GET', pathOf(authorizationId)).catch(error => {
    if (error instanceof ProviderRefused && error.reason === 'unknown') return null
    throw error
  })
  return found ? shownState(found) : { ...NONE, authorizationId }
}

const NONE = { status: 'cancelled', pixCode: '', qrId: '', isByPayer: false } as const

const STATUSES = {
  CREATED: 'waiting',
  ACTIVE: 'active',
  REFUSED: 'refused',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const

const shownState = (found: AsaasAuthorization): AuthorizationState => ({
  authorizationId: found.id,
  status: STATUSES[found.status],
  pixCode: found.payload ?? '',
  qrId: found.immediateQrCode?.conciliationIdentifier ?? '',
  isByPayer: found.cancellationReason === 'REQUESTED_BY_PAYER_USER',
})

async function revoke(call: AsaasCall, authorizationId: string): Promise<void> {
  try {
    await call(z.unknown(), 'DELETE', pathOf(authorizationId))
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !error.isForEver) throw error
    const { status } = await find(call, authorizationId)
    if (status === 'waiting' || status === 'active') throw error
  }
}

interface CardPayment {
  chargeId: string
  token: string
  leave(): Promise<void>
}

/** https://docs.asaas.com/reference/pagar-uma-cobranca-com-cartao-de-credito */
async function payByCard(
  call: AsaasCall,
  callPatiently: AsaasCall,
  { chargeId, token, leave }: CardPayment,
): Promise<ChargeState | null> {
  const path = `/payments/${encodeURIComponent(chargeId)}`
  const before = await call(AsaasPayment, 'GET', path)
  if (isUndecided(before)) return null
  if (before.deleted || (before.status !== 'PENDING' && before.status !== 'OVERDUE')) return stateOf(before)
  await leave()
  const body = { creditCardToken: token }
  const after = await callPatiently(AsaasPayment, 'POST', `${path}/payWithCreditCard`, body)
  return isUndecided(after) ? null : stateOf(after)
}

const isUndecided = ({ status }: AsaasPayment) =>
  status === 'AWAITING_RISK_ANALYSIS' || status === 'AUTHORIZED'

const pathOf = (authorizationId: string) =>
  `/pix/automatic/authorizations/${encodeURIComponent(authorizationId)}`
