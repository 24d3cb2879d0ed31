import { asks, type EventMeaning, each, nothing, settles, shows } from './catalogue.ts'
import type { ChargeStatus } from './payments.ts'

const unused = (what: string) => nothing(`${what}, which the platform does not use`)

/**
 * Every topic that Mercado Pago publishes, https://www.mercadopago.com.br/developers/pt/docs/your-integrations/notifications.
 * Another one is shown to a master as unknown.
 */
export const MERCADOPAGO_TOPICS: Record<string, EventMeaning> = {
  payment: asks('the payment is queried; its status says what follows'),
  topic_chargebacks_wh: shows('dispute', 'the payment counts until it is decided; its event follows'),
  topic_claims_integration_wh: shows('dispute', 'the payer complains; answered in the panel'),
  stop_delivery_op_wh: shows('dispute', 'Mercado Pago suspects a fraud'),
  ...each('subscription_', 'preapproval preapproval_plan authorized_payment', unused('a subscription')),
  'mp-connect': shows('account', 'an application was linked to the account, or is no more'),
  ...each('', 'wallet_connect topic_card_id_wh', unused('a card that is kept')),
  ...each('', 'topic_merchant_order_wh merchant_order order', unused('an order')),
  ...each('', 'delivery delivery_cancellation', unused('a delivery')),
  point_integration_wh: unused('a terminal'),
}

/** Every status that Mercado Pago publishes, with the details that change its meaning. */
export const MERCADOPAGO_STATUSES: Record<string, EventMeaning> = {
  pending: settles('pending', 'PENDING', 'it waits for the payer'),
  in_process: settles('in_process', 'PENDING', 'it is being checked'),
  authorized: settles('authorized', 'PENDING', 'the card is not charged yet'),
  approved: settles(
    'approved',
    'RECEIVED',
    'the invoice is paid; the money is promised until the day of its release',
  ),
  in_mediation: settles(
    'in_mediation',
    'CONFIRMED',
    'the payer complains; the payment counts until it is decided',
  ),
  refunded: settles('refunded', 'REFUNDED', 'all of it is given back'),
  charged_back: settles('charged_back', 'CONFIRMED', 'the payment counts until it is decided'),
  'charged_back/settled': settles(
    'charged_back',
    'REFUNDED',
    'decided for the payer: all of it is given back',
  ),
  'charged_back/reimbursed': settles('charged_back', 'RECEIVED', 'decided for the operator'),
  cancelled: settles('cancelled', 'GONE', 'nobody can pay it'),
  'cancelled/expired': settles(
    'cancelled',
    'EXPIRED',
    'its last day has passed; what is owed gets another charge',
  ),
  rejected: settles('rejected', 'GONE', 'nobody can pay it'),
}

/** Null for a status that Mercado Pago invented since. */
export function chargeStatusOf(status: string, detail: string): ChargeStatus | null {
  for (const name of [`${status}/${detail}`, status]) {
    const known = Object.hasOwn(MERCADOPAGO_STATUSES, name) ? MERCADOPAGO_STATUSES[name] : undefined
    if (known?.does === 'settles') return known.status
  }
  return null
}
