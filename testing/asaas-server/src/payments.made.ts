import { dayOf } from './days.ts'
import { refusals } from './refusals.ts'
import type { PaymentAsked } from './shapes.ts'
import type { Payment, State } from './state.ts'

/** Of a boleto or PIX; a card costs a share as well. */
const FEE_CENTS = 199
const CARD_FEE = { cents: 49, share: 0.0299 }

/** A code was paid, which Asaas makes a payment of. */
export function received(
  state: State,
  { pixQrCodeId, ...asked }: { customer: string; value: number; pixQrCodeId: string },
): Payment {
  const on = dayOf(state.now())
  const payment = addPayment(state, { ...asked, billingType: 'PIX', dueDate: on })
  payment.pixQrCodeId = pixQrCodeId
  state.webhooks.raise('PAYMENT_CREATED', payment)
  Object.assign(payment, { status: 'RECEIVED', paymentDate: on, clientPaymentDate: on })
  state.webhooks.raise('PAYMENT_RECEIVED', payment)
  return payment
}

export function addPayment(state: State, asked: PaymentAsked): Payment {
  const today = dayOf(state.now())
  const number = String(state.payments.length + 1)
  const id = `pay_${number.padStart(16, '0')}`
  const payment: Payment = {
    ...{ object: 'payment', id, dateCreated: today, customer: asked.customer },
    ...{ billingType: asked.billingType, status: 'PENDING' },
    ...{ value: asked.value, netValue: netOf(asked), originalValue: null, interestValue: null },
    ...{ dueDate: asked.dueDate, originalDueDate: asked.dueDate },
    description: asked.description ?? null,
    externalReference: asked.externalReference ?? null,
    fine: { value: 0, type: 'FIXED', ...asked.fine },
    interest: { value: 0, type: 'PERCENTAGE', ...asked.interest },
    ...{ confirmedDate: null, paymentDate: null, clientPaymentDate: null },
    invoiceUrl: `https://sandbox.asaas.com/i/${id.slice(4)}`,
    bankSlipUrl: ['BOLETO', 'UNDEFINED'].includes(asked.billingType)
      ? `https://sandbox.asaas.com/b/pdf/${id.slice(4)}`
      : null,
    transactionReceiptUrl: null,
    invoiceNumber: number.padStart(8, '0'),
    ...{ refunds: null, creditCard: null, pixAutomaticAuthorizationId: null, pixQrCodeId: null },
    deleted: false,
  }
  state.payments.push(payment)
  return payment
}

function netOf({ value, billingType }: PaymentAsked): number {
  const cents = Math.round(value * 100)
  const fee = billingType === 'CREDIT_CARD' ? CARD_FEE.cents + Math.round(cents * CARD_FEE.share) : FEE_CENTS
  return (cents - fee) / 100
}

/** One that was removed is still shown, as removed. */
export function showPayment({ payments }: State, id: string): Payment {
  const payment = payments.find(one => one.id === id)
  if (!payment) throw refusals.notFound('Cobrança')
  return payment
}

export const isOpen = ({ status, deleted }: Payment) => !deleted && ['PENDING', 'OVERDUE'].includes(status)
