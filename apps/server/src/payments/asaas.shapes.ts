import { z } from 'zod'
import { type ChargeState, type ChargeStatus, centsOf, type KeptCard, ProviderRefused } from './payments.ts'

const link = z.url({ protocol: /^https?$/, normalize: true }).max(2_000)
const day = z
  .string()
  .transform(moment => moment.slice(0, 10))
  .pipe(z.iso.date())
const reference = z.string().nullish()
const deleted = z.boolean().default(false)

const Refund = z.object({ status: z.string(), value: z.number() })

/** Null where they cannot be read: no other payment of a list waits for that. */
const Refunds = z
  .array(Refund)
  .nullish()
  .transform((refunds): z.infer<typeof Refund>[] | null => refunds ?? [])
  .catch(null)

/** Of its number only the last digits are there; the token where the account may keep cards. */
const Card = z
  .object({
    creditCardToken: z.string().min(1).max(500),
    creditCardBrand: z.string().max(50).nullish(),
    creditCardNumber: z.string().max(20).nullish(),
  })
  .nullish()
  .catch(null)

/** A payment as far as events contain it. */
export const ReportedPayment = z.object({
  id: z.string().min(1).max(100),
  status: z.string(),
  externalReference: reference,
  deleted,
  /** When the customer paid, when the money came, when the card was accepted. */
  clientPaymentDate: day.nullish(),
  paymentDate: day.nullish(),
  confirmedDate: day.nullish(),
  transactionReceiptUrl: link.nullish(),
  /** Reais. */
  value: z.number().nullish(),
  refunds: Refunds,
  creditCard: Card,
  billingType: z.string().max(50).nullish().catch(null),
  /** The code that was paid, where the payment was made by one. */
  pixQrCodeId: z.string().max(200).nullish().catch(null),
})
export type ReportedPayment = z.infer<typeof ReportedPayment>

/** A payment as far as we read it. */
export const AsaasPayment = ReportedPayment.extend({
  /** Reais. */
  value: z.number(),
  originalValue: z.number().nullish(),
  invoiceUrl: link,
})
export type AsaasPayment = z.infer<typeof AsaasPayment>

export const AsaasCustomer = z.object({
  id: z.string().min(1).max(100),
  name: z.string().nullish(),
  cpfCnpj: z.string().nullish(),
  email: z.string().nullish(),
  externalReference: reference,
  deleted,
})

/** https://docs.asaas.com/reference/recuperar-uma-unica-autorizacao-pix-automatico */
export const AsaasAuthorization = z.object({
  id: z.string().min(1).max(100),
  status: z.enum(['CREATED', 'ACTIVE', 'REFUSED', 'CANCELLED', 'EXPIRED']),
  contractId: z.string().nullish(),
  payload: z.string().max(2_000).nullish(),
  cancellationReason: z.string().nullish(),
  immediateQrCode: z.object({ conciliationIdentifier: z.string().max(200).nullish() }).nullish(),
})
export type AsaasAuthorization = z.infer<typeof AsaasAuthorization>

export const listOf = <Shape extends z.ZodType>(shape: Shape) =>
  z.object({ data: z.array(shape), hasMore: z.boolean().default(false) })

export const Removed = z.object({ deleted: z.literal(true) })

/** The payer’s bank wants the money back, and it is not decided who keeps it. */
export const isAsaasDispute = ({ status }: ReportedPayment) =>
  ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL'].includes(status)

/** The meaning of each status of Asaas: a payment in dispute or refund was paid, and is not final. */
const STATUSES = new Map<string, ChargeStatus>([
  ['PENDING', 'PENDING'],
  ['AUTHORIZED', 'PENDING'],
  ['AWAITING_RISK_ANALYSIS', 'PENDING'],
  ['OVERDUE', 'OVERDUE'],
  ['DUNNING_REQUESTED', 'OVERDUE'],
  ['CONFIRMED', 'CONFIRMED'],
  ['REFUND_REQUESTED', 'CONFIRMED'],
  ['REFUND_IN_PROGRESS', 'CONFIRMED'],
  ['CHARGEBACK_REQUESTED', 'CONFIRMED'],
  ['CHARGEBACK_DISPUTE', 'CONFIRMED'],
  ['AWAITING_CHARGEBACK_REVERSAL', 'CONFIRMED'],
  ['RECEIVED', 'RECEIVED'],
  ['RECEIVED_IN_CASH', 'RECEIVED'],
  ['DUNNING_RECEIVED', 'RECEIVED'],
  ['REFUNDED', 'REFUNDED'],
])

/** Null for a status that Asaas invented since. */
export function stateOrNull(payment: ReportedPayment): ChargeState | null {
  const status = payment.deleted ? 'GONE' : STATUSES.get(payment.status)
  return status ? { status, ...receiptOf(payment) } : null
}

/** Refuses a status that Asaas invented since. */
export function stateOf(payment: ReportedPayment): ChargeState {
  const state = stateOrNull(payment)
  if (!state) throw new ProviderRefused('nonsense', `Asaas: ${payment.id} has the status ${payment.status}`)
  return state
}

export function receiptOf(payment: ReportedPayment) {
  const card = cardOf(payment)
  return {
    payDate: payment.clientPaymentDate ?? payment.paymentDate ?? payment.confirmedDate ?? null,
    receiptUrl: payment.transactionReceiptUrl ?? '',
    value: payment.value == null ? null : centsOf(payment.value),
    refundedValue: asaasRefunds(payment)?.done ?? null,
    ...(card && { card }),
    ...(isPaidByCard(payment) && { isByCard: true as const }),
    ...(payment.pixQrCodeId && { qrId: payment.pixQrCodeId }),
  }
}

const isPaidByCard = ({ billingType, status }: ReportedPayment) =>
  billingType === 'CREDIT_CARD' && (status === 'CONFIRMED' || status === 'RECEIVED')

function cardOf({ creditCard }: ReportedPayment): KeptCard | null {
  if (!creditCard) return null
  const { creditCardToken: token, creditCardBrand: brand, creditCardNumber: number } = creditCard
  return { token, brand: brand ?? '', lastDigits: (number ?? '').replace(/\D/g, '').slice(-4) }
}

/**
 * The cents that were given back, and that are to be; null where it does not say so.
 * https://docs.asaas.com/docs/refunds: DONE is given back, CANCELLED will not be.
 */
export function asaasRefunds({ refunds }: ReportedPayment): { done: number; underWay: number } | null {
  if (refunds === null) return null
  const sumOf = (of: typeof refunds) => of.reduce((sum, { value }) => sum + centsOf(value), 0)
  return {
    done: sumOf(refunds.filter(({ status }) => status === 'DONE')),
    underWay: sumOf(refunds.filter(({ status }) => status !== 'DONE' && status !== 'CANCELLED')),
  }
}
