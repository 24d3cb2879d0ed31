import { z } from 'zod'
import { databaseNow } from '../platform/clock.ts'
import { chargeStatusOf } from './mercadopago.catalogue.ts'
import { type ChargeState, type ChargeStatus, centsOf, dayInBrazil, ProviderRefused } from './payments.ts'

const moment = z.iso.datetime({ offset: true })
const link = z.url({ protocol: /^https?$/ }).max(2_000)

const Refund = z.object({ amount: z.number(), status: z.string().nullish() })

/** Null where they cannot be read: no other payment of a list waits for that. */
const Refunds = z
  .array(Refund)
  .nullish()
  .transform((refunds): z.infer<typeof Refund>[] | null => refunds ?? [])
  .catch(null)

/** A payment as far as we read it: https://www.mercadopago.com.br/developers/pt/reference/payments/_payments_id/get */
export const MercadoPagoPayment = z.object({
  id: z.int().positive().transform(String),
  status: z.string(),
  status_detail: z.string().nullish(),
  external_reference: z.string().nullish(),
  /** Reais. */
  transaction_amount: z.number(),
  transaction_amount_refunded: z.number().nullish().catch(null),
  refunds: Refunds,
  date_created: moment,
  date_approved: moment.nullish(),
  /** When the money is at the seller’s disposal. */
  money_release_date: moment.nullish(),
  point_of_interaction: z
    .object({ transaction_data: z.object({ ticket_url: link.nullish() }).nullish() })
    .nullish(),
  /** Where a boleto is shown. */
  transaction_details: z.object({ external_resource_url: link.nullish() }).nullish(),
})
export type MercadoPagoPayment = z.infer<typeof MercadoPagoPayment>

export const FoundPayments = z.object({ results: z.array(MercadoPagoPayment) })

export const RefundAnswer = z.object({ id: z.int(), status: z.string().nullish() })

/** Where it is paid: a PIX has a page with its code, a boleto has its own. Null where it has none. */
export const linkOf = ({ point_of_interaction, transaction_details }: MercadoPagoPayment): string | null =>
  point_of_interaction?.transaction_data?.ticket_url ?? transaction_details?.external_resource_url ?? null

/** Null for a status that Mercado Pago invented since. */
export function mercadoPagoStateOrNull(payment: MercadoPagoPayment): ChargeState | null {
  const status = statusOf(payment)
  if (!status) return null
  const isPaid = status === 'CONFIRMED' || status === 'RECEIVED' || status === 'REFUNDED'
  return {
    status,
    // its moments are of UTC−4
    payDate: isPaid && payment.date_approved ? dayInBrazil(new Date(payment.date_approved)) : null,
    receiptUrl: '',
    value: centsOf(payment.transaction_amount),
    refundedValue: mercadoPagoRefunds(payment)?.done ?? null,
    ...(payment.status === 'charged_back' && payment.status_detail === 'settled' && { isLost: true }),
  }
}

/**
 * The cents that were given back, and that are to be; null where it does not say so. A chargeback that is not decided yet is no
 * refund.
 */
export function mercadoPagoRefunds(payment: MercadoPagoPayment): { done: number; underWay: number } | null {
  const { status, status_detail, refunds, transaction_amount_refunded: sum } = payment
  if (status === 'charged_back') return { done: 0, underWay: 0 }
  if (!refunds?.length && status_detail === 'partially_refunded')
    return sum == null ? null : { done: centsOf(sum), underWay: 0 }
  if (refunds === null) return null
  const sumOf = (of: typeof refunds) => of.reduce((back, { amount }) => back + centsOf(amount), 0)
  const isDone = (one: z.infer<typeof Refund>) => (one.status ?? 'approved') === 'approved'
  return {
    done: sumOf(refunds.filter(isDone)),
    underWay: sumOf(refunds.filter(one => !isDone(one) && !isRefundOver(one.status))),
  }
}

/** The payer’s bank has taken the money back, and it is not decided who keeps it: its refunds are not reported meanwhile. */
export const isMercadoPagoDispute = ({ status, status_detail }: MercadoPagoPayment) =>
  status === 'charged_back' && status_detail !== 'reimbursed' && status_detail !== 'settled'

/** It will not be carried out. */
export const isRefundOver = (status: string | null | undefined) =>
  status === 'rejected' || status === 'cancelled'

/** Refuses a status that Mercado Pago invented since. */
export function mercadoPagoState(payment: MercadoPagoPayment): ChargeState {
  const state = mercadoPagoStateOrNull(payment)
  if (!state)
    throw new ProviderRefused('nonsense', `Mercado Pago: ${payment.id} has the status ${payment.status}`)
  return state
}

/** https://www.mercadopago.com.br/developers/pt/docs/checkout-api-payments/response-handling/query-results */
function statusOf({ status, status_detail, money_release_date }: MercadoPagoPayment): ChargeStatus | null {
  const known = chargeStatusOf(status, status_detail ?? '')
  const isPromised = money_release_date && Date.parse(money_release_date) > databaseNow()
  return status === 'approved' && isPromised ? 'CONFIRMED' : known
}
