import { dayOf } from './days.ts'
import { isOpen, showPayment } from './payments.made.ts'
import { refusals } from './refusals.ts'
import { CardPaymentAsked, fitting } from './shapes.ts'
import type { Payment, State } from './state.ts'

/** https://docs.asaas.com/reference/pagar-uma-cobranca-com-cartao-de-credito: by a token of the same customer. */
export function payWithCard(state: State, id: string, body: unknown): Payment {
  const { creditCardToken: token } = fitting(CardPaymentAsked, body)
  const payment = showPayment(state, id)
  if (!isOpen(payment) || !['CREDIT_CARD', 'UNDEFINED'].includes(payment.billingType))
    throw refusals.notPayableByCard()
  const card = state.cards.find(one => one.token === token && one.customer === payment.customer)
  if (!card) throw refusals.cardToken()
  if (card.isRefused) throw refusals.cardRefused()
  payment.creditCard = shown(card)
  if (state.analysed.delete(id)) {
    payment.status = 'AWAITING_RISK_ANALYSIS'
    state.webhooks.raise('PAYMENT_AWAITING_RISK_ANALYSIS', payment)
  } else confirm(state, payment)
  return payment
}

function confirm({ now, webhooks }: State, payment: Payment): void {
  const on = dayOf(now())
  Object.assign(payment, { status: 'CONFIRMED', confirmedDate: on, clientPaymentDate: on })
  webhooks.raise('PAYMENT_CONFIRMED', payment)
}

/** The card that is typed on the page of a payment; kept where the account may keep cards. */
export function typeCard(state: State, payment: Payment): void {
  const number = String(8829 + state.cards.length)
  const card = {
    token: crypto.randomUUID(),
    customer: payment.customer,
    number,
    brand: 'MASTERCARD',
    isRefused: false,
  }
  if (!state.options.keepsCards) return
  state.cards.push(card)
  payment.creditCard = shown(card)
}

const shown = ({ token, number, brand }: State['cards'][number]) => ({
  ...{ creditCardNumber: number, creditCardBrand: brand, creditCardToken: token },
})

/** Who decides about cards. */
export const issuer = (state: State) => ({
  /** The bank refuses all cards of a customer, or takes them again. */
  refuseCards(customer: string, isRefused = true) {
    for (const card of state.cards) if (card.customer === customer) card.isRefused = isRefused
  },
  /** The next payment of it by a token waits for a decision, until `approve`. */
  analyseCard(id: string) {
    state.analysed.add(id)
  },
  approveCard(id: string) {
    confirm(state, showPayment(state, id))
  },
})
