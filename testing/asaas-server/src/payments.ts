import { admitDebit, orderDebit } from './authorizations.ts'
import { typeCard } from './cards.ts'
import { dayOf, momentOf } from './days.ts'
import { sayEvent } from './events.ts'
import { addPayment, isOpen, showPayment } from './payments.made.ts'
import { refusals } from './refusals.ts'
import { fitting, PaymentAsked, PaymentsListAsked, RefundAsked } from './shapes.ts'
import { listed, type Payment, type Refund, type State } from './state.ts'

const LEAST = 5

/** Refuses what cannot be paid: unknown customer, due date in the past, amount too low. */
export function createPayment(state: State, body: unknown): Payment {
  const asked = fitting(PaymentAsked, body)
  const today = dayOf(state.now())
  if (!state.customers.some(({ id, deleted }) => id === asked.customer && !deleted))
    throw refusals.wrongCustomer()
  if (asked.dueDate < today) throw refusals.overToday()
  if (asked.value < LEAST) throw refusals.tooLittle(asked.value)
  const authorizationId = asked.pixAutomaticAuthorizationId ?? null
  if (authorizationId) admitDebit(state, authorizationId, asked.dueDate)
  const payment = addPayment(state, asked)
  payment.pixAutomaticAuthorizationId = authorizationId
  state.webhooks.raise('PAYMENT_CREATED', payment)
  if (authorizationId) orderDebit(state, payment)
  return payment
}

export function removePayment(state: State, id: string) {
  const payment = showPayment(state, id)
  if (payment.deleted) throw refusals.notFound('Cobrança')
  if (!isOpen(payment)) throw refusals.notRemovable()
  payment.deleted = true
  state.webhooks.raise('PAYMENT_DELETED', payment)
  return { deleted: true, id }
}

export function listPayments({ payments }: State, query: unknown) {
  const { 'dateCreated[ge]': since = '', ...page } = fitting(PaymentsListAsked, query)
  return listed(
    payments.filter(({ dateCreated }) => dateCreated >= since),
    page,
  )
}

/** Gives a payment back, or a part of it; without a value all of it, which cannot be once a part was given back. */
export function refundPayment(state: State, id: string, body: unknown): Payment {
  const payment = showPayment(state, id)
  const { value = payment.value, description = null } = fitting(RefundAsked, body ?? {})
  if (!isPaid(payment)) throw refusals.notRefundable()
  if (centsOf(value) > leftOf(payment)) throw refusals.tooMuch()
  const refund = addRefund(state, payment, { value, description })
  if (state.delayed.delete(id)) return payment
  return endRefund(state, payment, refund, 'DONE')
}

const centsOf = (reais: number) => Math.round(reais * 100)

/** Cents that were not given back, and are not to be. */
const leftOf = ({ value, refunds }: Payment) =>
  centsOf(value) - sumOf((refunds ?? []).filter(({ status }) => status !== 'CANCELLED'))
const sumOf = (refunds: Refund[]) => refunds.reduce((sum, { value }) => sum + centsOf(value), 0)

function addRefund(
  { now }: State,
  payment: Payment,
  { value, description }: Pick<Refund, 'value' | 'description'>,
): Refund {
  const refund: Refund = {
    ...{ dateCreated: momentOf(now()), status: 'PENDING', value, description },
    transactionReceiptUrl: null,
  }
  payment.refunds = [...(payment.refunds ?? []), refund]
  return refund
}

/** A payment of which a part was given back keeps its status. */
function endRefund(state: State, payment: Payment, refund: Refund, status: 'DONE' | 'CANCELLED'): Payment {
  refund.status = status
  if (status === 'CANCELLED') return payment
  refund.transactionReceiptUrl = `https://sandbox.asaas.com/comprovantes/estorno/${payment.id.slice(4)}`
  const back = sumOf((payment.refunds ?? []).filter(one => one.status === 'DONE'))
  if (back === centsOf(payment.value)) payment.status = 'REFUNDED'
  state.webhooks.raise(
    payment.status === 'REFUNDED' ? 'PAYMENT_REFUNDED' : 'PAYMENT_PARTIALLY_REFUNDED',
    payment,
  )
  return payment
}

/** What is asked for of who pays after the due date: the fine once, the interest by the days of a month of 30. */
function lateOn({ value, dueDate, fine, interest }: Payment, on: string): Partial<Payment> {
  if (on <= dueDate) return {}
  const days = (Date.parse(on) - Date.parse(dueDate)) / 86_400_000
  const once = fine.type === 'FIXED' ? fine.value : (value * fine.value) / 100
  const added = centsOf(once) + centsOf((value * interest.value * days) / 3_000)
  if (added === 0) return {}
  return { value: (centsOf(value) + added) / 100, originalValue: value, interestValue: added / 100 }
}

/** Those who pay and what Asaas does by itself; what cannot happen throws. */
export function cashier(state: State) {
  const taken = (id: string, can: (payment: Payment) => boolean, what: string) => {
    const payment = showPayment(state, id)
    if (!can(payment)) throw new Error(`${id} is ${payment.deleted ? 'deleted' : payment.status}: ${what}`)
    return payment
  }
  const move = (payment: Payment, change: Partial<Payment>, event: string) => {
    Object.assign(payment, change)
    state.webhooks.raise(event, payment)
  }
  return {
    /** The customer pays: PIX and boleto are received, a card is confirmed, and `settle` brings its money. */
    pay(id: string) {
      const payment = taken(id, isOpen, 'nobody can pay it')
      const on = dayOf(state.now())
      const receipt = {
        ...lateOn(payment, on),
        clientPaymentDate: on,
        transactionReceiptUrl: `https://sandbox.asaas.com/comprovantes/${id.slice(4)}`,
      }
      if (payment.billingType === 'CREDIT_CARD') typeCard(state, payment)
      if (payment.billingType === 'CREDIT_CARD')
        move(payment, { ...receipt, status: 'CONFIRMED', confirmedDate: on }, 'PAYMENT_CONFIRMED')
      else move(payment, { ...receipt, status: 'RECEIVED', paymentDate: on }, 'PAYMENT_RECEIVED')
    },
    /** A month later the card's money is there. */
    settle(id: string) {
      const payment = taken(id, ({ status }) => status === 'CONFIRMED', 'no money is under way')
      move(payment, { status: 'RECEIVED', paymentDate: dayOf(state.now()) }, 'PAYMENT_RECEIVED')
    },
    /** In the panel it is marked as paid in cash; `undoCash` takes that back. */
    receiveInCash(id: string) {
      const payment = taken(id, isOpen, 'nobody can pay it')
      const on = dayOf(state.now())
      const receipt = { paymentDate: on, clientPaymentDate: on }
      move(payment, { ...receipt, status: 'RECEIVED_IN_CASH' }, 'PAYMENT_RECEIVED')
    },
    undoCash(id: string) {
      const payment = taken(id, ({ status }) => status === 'RECEIVED_IN_CASH', 'it is not paid in cash')
      const status = payment.dueDate < dayOf(state.now()) ? 'OVERDUE' : 'PENDING'
      move(payment, { status, paymentDate: null, clientPaymentDate: null }, 'PAYMENT_RECEIVED_IN_CASH_UNDONE')
    },
    /** Says an event, also one that Asaas does not know, without anything having happened. */
    say: (event: string, id: string) => sayEvent(state, event, id),
    overdue(id: string) {
      const payment = taken(id, one => isOpen(one) && one.status === 'PENDING', 'it does not wait')
      move(payment, { status: 'OVERDUE' }, 'PAYMENT_OVERDUE')
    },
    /** In the panel all that is left is given back. */
    refund(id: string) {
      const payment = taken(id, isPaid, 'nobody paid it')
      refundPayment(state, id, { value: leftOf(payment) / 100 })
    },
    /** In the panel a part (reais) is given back. */
    refundPart(id: string, value: number) {
      taken(id, one => isPaid(one) && centsOf(value) < leftOf(one), 'so much is not a part of it')
      refundPayment(state, id, { value })
    },
    /** The same; it waits, of which no event comes, until `endRefund`. */
    beginRefund(id: string, value: number) {
      const payment = taken(id, one => isPaid(one) && centsOf(value) <= leftOf(one), 'so much is not left')
      addRefund(state, payment, { value, description: null })
    },
    /** The next refund of it that is asked for is accepted, and waits until `endRefund`. */
    delayRefund(id: string) {
      state.delayed.add(id)
    },
    endRefund(id: string, status: 'DONE' | 'CANCELLED') {
      const payment = showPayment(state, id)
      const refund = payment.refunds?.find(one => one.status === 'PENDING')
      if (!refund) throw new Error(`${id}: no refund waits`)
      endRefund(state, payment, refund, status)
    },
    /** Restores a removed payment, as in the panel. */
    restore(id: string) {
      const payment = taken(id, ({ deleted }) => deleted, 'it is there')
      move(payment, { deleted: false }, 'PAYMENT_RESTORED')
    },
  }
}

const isPaid = ({ status }: Payment) => ['CONFIRMED', 'RECEIVED'].includes(status)
