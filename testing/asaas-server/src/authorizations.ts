import { dayOf } from './days.ts'
import { isOpen, received } from './payments.made.ts'
import { refusals } from './refusals.ts'
import { AuthorizationAsked, AuthorizationsListAsked, fitting } from './shapes.ts'
import type { Authorization, Payment, State } from './state.ts'

/** https://docs.asaas.com/reference/pix-automático: an authorization of PIX Automático with a first payment (journey 3). */
export function createAuthorization(state: State, body: unknown): Authorization {
  const { immediateQrCode, description, ...asked } = fitting(AuthorizationAsked, body)
  const { customers, authorizations, now } = state
  if (!customers.some(({ id, deleted }) => id === asked.customerId && !deleted))
    throw refusals.wrongCustomer()
  if (asked.startDate <= dayOf(now())) throw refusals.overToday()
  const number = String(authorizations.length + 1)
  const authorization: Authorization = {
    ...{ id: crypto.randomUUID(), status: 'CREATED', ...asked, description: description ?? null },
    ...{ value: null, payload: `00020126BR.GOV.BCB.PIX-${crypto.randomUUID()}`, cancellationReason: null },
    immediateQrCode: { conciliationIdentifier: `ASAAS${number.padStart(27, '0')}ASA` },
    originalValue: immediateQrCode.originalValue,
  }
  authorizations.push(authorization)
  raise(state, 'CREATED', authorization)
  return authorization
}

export function showAuthorization({ authorizations }: State, id: string): Authorization {
  const found = authorizations.find(one => one.id === id)
  if (!found) throw refusals.notFound('Autorização')
  return found
}

/** The newest first. */
export function listAuthorizations({ authorizations }: State, query: unknown) {
  const { customerId, limit, offset } = fitting(AuthorizationsListAsked, query)
  const found = authorizations.filter(one => !customerId || one.customerId === customerId).toReversed()
  const data = found.slice(offset, offset + limit)
  return { object: 'list', hasMore: offset + data.length < found.length, totalCount: found.length, data }
}

/** Debits that are to come are cancelled with it. */
export function removeAuthorization(state: State, id: string): Authorization {
  return cancel(state, id, 'REQUESTED_BY_RECEIVER_USER')
}

function cancel(state: State, id: string, reason: string): Authorization {
  const authorization = showAuthorization(state, id)
  if (!['CREATED', 'ACTIVE'].includes(authorization.status)) throw refusals.authorizationOver()
  Object.assign(authorization, { status: 'CANCELLED', cancellationReason: reason })
  raise(state, 'CANCELLED', authorization)
  for (const payment of state.payments)
    if (payment.pixAutomaticAuthorizationId === id && isOpen(payment)) say(state, 'CANCELLED', payment, null)
  return authorization
}

/** Refuses what cannot be debited by it. Banks take an order 2 to 10 working days before. */
export function admitDebit(state: State, id: string, dueDate: string): void {
  const authorization = state.authorizations.find(one => one.id === id)
  if (authorization?.status !== 'ACTIVE') throw refusals.noAuthorization()
  const days = workdays(dayOf(state.now()), dueDate)
  if (days < 2 || days > 10) throw refusals.outsideWindow()
}

function workdays(day: string, until: string): number {
  let count = 0
  for (let at = Date.parse(day) + 86_400_000; at <= Date.parse(until) && count < 100; at += 86_400_000)
    if (![0, 6].includes(new Date(at).getUTCDay())) count++
  return count
}

/** The bank takes the order. */
export function orderDebit(state: State, payment: Payment): void {
  say(state, 'CREATED', payment, null)
  say(state, 'SCHEDULED', payment, null)
}

/** What the payer and his bank do; what cannot happen throws. */
export const bank = (state: State) => {
  const waiting = (id: string) => {
    const authorization = showAuthorization(state, id)
    if (authorization.status !== 'CREATED') throw new Error(`${id} is ${authorization.status}`)
    return authorization
  }
  return {
    /** He pays the code, which Asaas makes a payment of, and authorizes what follows. */
    payCode(id: string): Payment {
      const authorization = waiting(id)
      const payment = received(state, {
        customer: authorization.customerId,
        value: authorization.originalValue,
        pixQrCodeId: authorization.immediateQrCode.conciliationIdentifier,
      })
      authorization.status = 'ACTIVE'
      raise(state, 'ACTIVATED', authorization)
      return payment
    },
    /** The code was not paid in time. */
    expireCode(id: string) {
      const authorization = waiting(id)
      authorization.status = 'REFUSED'
      raise(state, 'REFUSED', authorization)
    },
    /** He ends it at his bank. */
    endAtBank(id: string) {
      cancel(state, id, 'REQUESTED_BY_PAYER_USER')
    },
    /** Its last day is over. */
    finishAuthorization(id: string) {
      const authorization = showAuthorization(state, id)
      authorization.status = 'EXPIRED'
      raise(state, 'EXPIRED', authorization)
    },
    /** On the due date the bank does not pay. */
    refuseDebit(paymentId: string, reason: string) {
      const payment = state.payments.find(({ id }) => id === paymentId)
      if (!payment?.pixAutomaticAuthorizationId) throw new Error(`${paymentId} is not debited`)
      say(state, 'REFUSED', payment, reason)
    },
  }
}

const raise = ({ webhooks }: State, what: string, authorization: Authorization) =>
  webhooks.raise(`PIX_AUTOMATIC_RECURRING_AUTHORIZATION_${what}`, authorization, 'authorization')

/** An instruction: https://docs.asaas.com/docs/events-for-automatic-pix */
function say({ webhooks }: State, what: string, payment: Payment, refusalReason: string | null): void {
  const { id: paymentId, dueDate, customer: customerId, pixAutomaticAuthorizationId: id } = payment
  const instruction = {
    ...{
      id: crypto.randomUUID(),
      status: what === 'CREATED' ? 'AWAITING_REQUEST' : what,
      paymentId,
      dueDate,
    },
    ...{ refusalReason, authorization: { id, customerId } },
  }
  webhooks.raise(`PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_${what}`, instruction, 'paymentInstruction')
}
