import { daysFrom } from './invoices.rules.ts'

/** Why money waits for a master to say where it belongs. */
export const REVIEW_REASONS = [
  /** The invoice was paid already, or this is more than it asked for. */
  'twice',
  'deleted',
  'cancelled',
  /** No invoice or company here is known for it. */
  'unknown',
  /** It was to be given back, and the provider refused. */
  'refundRefused',
  /** The provider gave it back without being asked here: a gift, or it is owed again. */
  'returned',
] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

export const INVOICE_STATES = ['open', 'partlyPaid', 'paid', 'cancelled', 'refunded'] as const
export type InvoiceState = (typeof INVOICE_STATES)[number]

/** Reasons with which the platform itself cancels an invoice. */
export const PLATFORM_REASONS = [
  'paused',
  'planChanged',
  'trialExtended',
  'carried',
  'ended',
  'givenBack',
  /** A change of plan that was ordered was given up, or not paid in time: money that comes for it is credit. */
  'orderEnded',
] as const
export type PlatformReason = (typeof PLATFORM_REASONS)[number]

/** Why an invoice is not charged, where the platform itself says it; otherwise the provider’s own words are kept. */
export const UNCHARGED_REASONS = [
  /** What is owed is less than the provider charges. */
  'belowLeast',
  /** Its charge was removed in the provider’s panel: another one is made when it is asked for, and no reminder is sent until then. */
  'removed',
  /** Its debit was not ordered: there was no time for it, or the provider refused it. It is paid by its page. */
  'unscheduled',
  /** The kept card was analysed again and again, and never accepted. */
  'cardNotAccepted',
  // of banks, about a debit
  ...(['debitCancelled', 'noFunds', 'accountClosed', 'accountBlocked'] as const),
  ...(['aboveLimit', 'bankSilent', 'documentDiffers'] as const),
] as const
export type UnchargedReason = (typeof UNCHARGED_REASONS)[number]

/** The reason of a problem; null for the words of a provider. */
export const unchargedReasonOf = (problem: string): UnchargedReason | null =>
  UNCHARGED_REASONS.find(reason => reason === problem) ?? null

/** Why a refund failed, where the platform itself says it; otherwise the provider’s own words are kept. */
export const REFUND_PROBLEMS = [
  /** The provider accepted it, and did not carry it out. */
  'refundCancelled',
  /** Another installation collected the payment. */
  'refundElsewhere',
] as const
export type RefundProblem = (typeof REFUND_PROBLEMS)[number]

interface Settled {
  /** CANCELLED beside the four of the documents. */
  status: string
  value: number
  paidValue: number
  refundedValue: number
}

/** The state of an invoice: what its payments, refunds and its cancellation make of it. */
export function stateOfInvoice({ status, value, paidValue, refundedValue }: Settled): InvoiceState {
  if (status === 'CANCELLED') return refundedValue >= value ? 'refunded' : 'cancelled'
  if (status === 'RECEIVED' || status === 'CONFIRMED') return 'paid'
  return paidValue > 0 ? 'partlyPaid' : 'open'
}

/**
 * Divides cents by weights, to the cent: each part is rounded down, and the cents that are left go to the largest
 * remainders, of equal ones to the first (Hamilton's method). The parts add up to `cents`.
 */
export function divided(cents: number, weights: number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const exact = weights.map(weight => (cents * weight) / all)
  const parts = exact.map(Math.floor)
  let left = cents - parts.reduce((sum, part) => sum + part, 0)
  const byRemainder = exact
    .map((value, at) => ({ at, remainder: value - Math.floor(value) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.at - other.at)
  for (const { at } of byRemainder) if (left-- > 0) parts[at]!++
  return parts
}

/**
 * The cents of a period that are not used up by the days before `day`; 0 where it is over, all where it has not begun. What was
 * credited of it before is left out.
 */
export function restOf(charged: Charged, day: string): number {
  const { releasedFrom } = charged
  return Math.max(restFrom(charged, day) - (releasedFrom ? restFrom(charged, releasedFrom) : 0), 0)
}

function restFrom({ startInvoicePeriod: start, endInvoicePeriod: end, value }: Charged, day: string): number {
  if (day > end) return 0
  if (day <= start) return value
  const [rest] = divided(value, [daysBetween(day, daysFrom(end, 1)), daysBetween(start, day)])
  // a period that has begun costs a cent at least
  return Math.min(rest!, value - 1)
}

/** The cents that an invoice asked for its own period when it was issued. */
export const periodPriceOf = ({ value, creditedValue, carriedValue, lateValue }: Issued): number =>
  value + creditedValue - carriedValue - lateValue

/** What the operator asks of who pays late: hundredths of a percent, once and for each 30 days. */
export interface LateTerms {
  fine: number
  interest: number
}

/** The fine and the interest, in cents, of what is owed of an invoice when it is paid on a day; 0 where that is in time. */
export function lateOn(
  { value, paidValue, dueDate }: { value: number; paidValue: number; dueDate: string },
  day: string,
  { fine, interest }: LateTerms,
): number {
  const owed = value - paidValue
  if (owed <= 0 || day <= dueDate) return 0
  return (
    Math.round((owed * fine) / 10_000) + Math.round((owed * interest * daysBetween(dueDate, day)) / 300_000)
  )
}

interface Issued {
  value: number
  creditedValue: number
  carriedValue: number
  lateValue: number
}

interface Charged {
  startInvoicePeriod: string
  endInvoicePeriod: string
  value: number
  /** The first day that was credited before. */
  releasedFrom?: string | null
}

const daysBetween = (from: string, until: string) => (Date.parse(until) - Date.parse(from)) / 86_400_000
