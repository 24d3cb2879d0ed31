import { isDocument } from './documents.ts'
import { momentOf } from './moments.ts'
import { refusals } from './refusals.ts'
import { fitting, PaymentAsked, PaymentChange, RefundAsked, SearchAsked } from './shapes.ts'
import type { Payment, Refund, State } from './state.ts'

const DAY = 24 * 3_600_000
const COLLECTOR = 987_654_321
const PAGE = 'https://www.mercadopago.com.br/payments'

/** The same key answers what was made with it. */
export function createPayment(state: State, key: string, body: unknown): Payment {
  const known = state.keys.get(`payments ${key}`)
  if (known) return known as Payment
  const asked = fitting(PaymentAsked, body)
  const { type, number } = asked.payer.identification
  if (!isDocument(number) || (type === 'CPF') !== (number.length === 11)) throw refusals.wrongDocument()
  const payment = paymentOf(state, asked)
  state.payments.push(payment)
  state.keys.set(`payments ${key}`, payment)
  state.webhooks.raise('payment.created', payment.id)
  return payment
}

function paymentOf({ now, payments }: State, asked: PaymentAsked): Payment {
  const id = 1_300_000_000 + payments.length + 1
  const made = momentOf(now())
  const isPix = asked.payment_method_id === 'pix'
  return {
    ...{ id, date_created: made, date_approved: null, date_last_updated: made },
    date_of_expiration: expiryOf(now(), asked.date_of_expiration),
    ...{ money_release_date: null, operation_type: 'regular_payment', currency_id: 'BRL' },
    ...{ payment_method_id: asked.payment_method_id, payment_type_id: isPix ? 'bank_transfer' : 'ticket' },
    ...{ status: 'pending', status_detail: isPix ? 'pending_waiting_transfer' : 'pending_waiting_payment' },
    ...{ description: asked.description ?? null, live_mode: false, collector_id: COLLECTOR },
    ...{ payer: { ...asked.payer, id: '123456' }, external_reference: asked.external_reference ?? null },
    ...{ transaction_amount: asked.transaction_amount, transaction_amount_refunded: 0, installments: 1 },
    ...{ captured: true, refunds: [] },
    transaction_details: {
      ...{ net_received_amount: 0, total_paid_amount: asked.transaction_amount },
      external_resource_url: isPix ? null : `${PAGE}/${id}/ticket?caller_id=123456`,
    },
    point_of_interaction: isPix
      ? {
          type: 'OPENPLATFORM',
          transaction_data: {
            ...{ qr_code: `00020126${id}`, qr_code_base64: 'iVBORw0KGgo=' },
            ticket_url: `${PAGE}/${id}/ticket?caller_id=123456&hash=${id}`,
          },
        }
      : { type: 'UNSPECIFIED' },
  }
}

/** 30 minutes to 30 days from now; a day where nothing is asked. */
function expiryOf(now: Date, asked: string | undefined): string {
  if (asked === undefined) return momentOf(new Date(now.getTime() + DAY))
  const ahead = Date.parse(asked) - now.getTime()
  if (ahead < 30 * 60_000 || ahead > 30 * DAY) throw refusals.wrongDate()
  return asked
}

export function showPayment({ payments }: State, id: string): Payment {
  const payment = payments.find(one => String(one.id) === id)
  if (!payment) throw refusals.notFound()
  return payment
}

/** Cancels an unpaid one. */
export function changePayment(state: State, id: string, body: unknown): Payment {
  const payment = showPayment(state, id)
  if (fitting(PaymentChange, body).status !== 'cancelled') throw refusals.wrongStatus()
  if (payment.status !== 'pending') throw refusals.wrongState()
  return move(state, payment, { status: 'cancelled', status_detail: 'by_collector' })
}

export function searchPayments({ payments }: State, query: unknown) {
  const asked = fitting(SearchAsked, query)
  const { limit, offset, external_reference: reference, begin_date: begin, end_date: end } = asked
  if (offset + limit > 10_000) throw refusals.tooManyRows()
  const at = (moment: string | undefined, other: number) =>
    moment === undefined || moment === 'NOW' ? other : Date.parse(moment)
  const fits = (one: Payment) => {
    const made = Date.parse(one.date_created)
    return (
      (reference === undefined || one.external_reference === reference) &&
      made >= at(begin, 0) &&
      made <= at(end, Number.POSITIVE_INFINITY)
    )
  }
  const found = payments.filter(fits)
  const sorted = asked.criteria === 'asc' ? found : found.toReversed()
  return {
    paging: { total: sorted.length, limit, offset },
    results: sorted.slice(offset, offset + limit),
  }
}

/** Gives a payment back, or a part of it; without an amount all of it, which cannot be once a part was given back. */
export function refundPayment(state: State, { id, key }: { id: string; key: string }, body: unknown): Refund {
  const known = state.keys.get(`refunds ${key}`)
  if (known) return known as Refund
  const payment = showPayment(state, id)
  const { amount = payment.transaction_amount } = fitting(RefundAsked, body)
  if (payment.status !== 'approved' || centsOf(amount) > leftOf(payment)) throw refusals.notRefundable()
  const refund = addRefund(state, payment, amount)
  state.keys.set(`refunds ${key}`, refund)
  if (state.delayed.delete(payment.id)) return refund
  endRefund(state, payment, refund, 'approved')
  return refund
}

const centsOf = (reais: number) => Math.round(reais * 100)

/** Cents that were not given back, and are not to be. */
const leftOf = ({ transaction_amount, refunds }: Payment) =>
  centsOf(transaction_amount) - sumOf(refunds.filter(({ status }) => status !== 'cancelled'))
const sumOf = (refunds: Refund[]) => refunds.reduce((sum, { amount }) => sum + centsOf(amount), 0)

function addRefund({ now, payments }: State, payment: Payment, amount: number): Refund {
  const made = payments.reduce((sum, { refunds }) => sum + refunds.length, 0)
  const refund: Refund = {
    ...{ id: 1_000 + made, payment_id: payment.id, amount, status: 'in_process' },
    source: { id: String(COLLECTOR), name: 'Balcão', type: 'collector' },
    date_created: momentOf(now()),
  }
  payment.refunds.push(refund)
  return refund
}

/** A payment of which a part was given back stays approved. */
function endRefund(state: State, payment: Payment, refund: Refund, status: 'approved' | 'cancelled') {
  refund.status = status
  const back = sumOf(payment.refunds.filter(one => one.status === 'approved'))
  const isWhole = back === centsOf(payment.transaction_amount)
  move(state, payment, {
    ...(isWhole && { status: 'refunded' as const }),
    ...(back > 0 && { status_detail: isWhole ? 'refunded' : 'partially_refunded' }),
    transaction_amount_refunded: back / 100,
  })
}

function move(state: State, payment: Payment, change: Partial<Payment>): Payment {
  Object.assign(payment, change, { date_last_updated: momentOf(state.now()) })
  state.webhooks.raise('payment.updated', payment.id)
  return payment
}

/** What payers and Mercado Pago do without a call; what cannot happen throws. */
export function cashier(state: State) {
  const inStatus = (id: number | string, statuses: Payment['status'][], what: string) => {
    const payment = showPayment(state, String(id))
    if (!statuses.includes(payment.status)) throw new Error(`${id} is ${payment.status}: ${what}`)
    return payment
  }
  const inDays = (days: number) => momentOf(new Date(state.now().getTime() + days * DAY))
  return {
    /** The customer pays; with days the money is at the seller’s disposal after them. */
    pay(id: number | string, releaseDays = 0) {
      const payment = inStatus(id, ['pending'], 'it cannot be paid')
      move(state, payment, {
        ...{ status: 'approved', status_detail: 'accredited' },
        ...{ date_approved: inDays(0), money_release_date: inDays(releaseDays) },
      })
    },
    /** The money is there, of which no event comes. */
    settle(id: number | string) {
      inStatus(id, ['approved'], 'no money is under way').money_release_date = inDays(0)
    },
    /** Its time is over. */
    expire(id: number | string) {
      move(state, inStatus(id, ['pending'], 'it does not wait'), {
        status: 'cancelled',
        status_detail: 'expired',
      })
    },
    /** In the panel all that is left is given back. */
    refund(id: number | string) {
      const payment = inStatus(id, ['approved'], 'it is not paid')
      endRefund(state, payment, addRefund(state, payment, leftOf(payment) / 100), 'approved')
    },
    /** In the panel a part (reais) is given back. */
    refundPart(id: number | string, amount: number) {
      const payment = inStatus(id, ['approved'], 'it is not paid')
      if (centsOf(amount) >= leftOf(payment))
        throw new Error(`${id}: ${amount} is not a part of what is left`)
      endRefund(state, payment, addRefund(state, payment, amount), 'approved')
    },
    /** The same; it is in process until `endRefund`. */
    beginRefund(id: number | string, amount: number) {
      const payment = inStatus(id, ['approved'], 'it is not paid')
      if (centsOf(amount) > leftOf(payment)) throw new Error(`${id}: ${amount} is not left`)
      addRefund(state, payment, amount)
      move(state, payment, {})
    },
    /** The next refund of it that is asked for is accepted, and in process until `endRefund`. */
    delayRefund(id: number | string) {
      state.delayed.add(Number(id))
    },
    endRefund(id: number | string, status: 'approved' | 'cancelled') {
      const payment = inStatus(id, ['approved'], 'it is not paid')
      const refund = payment.refunds.find(one => one.status === 'in_process')
      if (!refund) throw new Error(`${id}: no refund is in process`)
      endRefund(state, payment, refund, status)
    },
    /** Calls about a topic, also one that Mercado Pago does not know, without anything having happened. */
    say(topic: string, id: number | string) {
      state.webhooks.raise(`${topic}.updated`, Number(id), topic)
    },
    /** A status with its detail, also one that Mercado Pago does not know. */
    become(id: number | string, status: string, detail: string) {
      move(state, showPayment(state, String(id)), {
        status: status as Payment['status'],
        status_detail: detail,
      })
    },
    /** The payer’s bank takes it back, and who keeps it is decided later. */
    chargeBack(id: number | string, detail: 'in_process' | 'settled' | 'reimbursed' = 'in_process') {
      const payment = inStatus(id, ['approved', 'charged_back'], 'it is not paid')
      move(state, payment, { status: 'charged_back', status_detail: detail })
    },
  }
}
