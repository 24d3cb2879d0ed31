/**
 * How the monthly recurring revenue of a company moved within a month. new: it had none before, ever. reactivated: it had none
 * at the end of the month before, but earlier. expansion, contraction: it pays more, or less. churned: it has none any more.
 */
export const REVENUE_MOVES = ['new', 'reactivated', 'expansion', 'contraction', 'churned'] as const
export type RevenueMove = (typeof REVENUE_MOVES)[number]

/**
 * The billing state of a company today. paying: it has recurring revenue. risk: it has, and something is overdue. Of the others, in
 * this order: lapsed: billing stopped, since nothing was paid of the last periods. off: it is switched off. paused: its subscription is paused. trial: its trial lasts. unbilled: nothing is invoiced.
 */
export const SUBSCRIBER_STATES = ['paying', 'risk', 'lapsed', 'trial', 'paused', 'off', 'unbilled'] as const
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number]

/** pending: owed, before its due date. overdue: after it. */
export const INVOICE_PARTS = ['pending', 'overdue', 'paid', 'cancelled'] as const
export type InvoicePart = (typeof INVOICE_PARTS)[number]

export const INVOICE_KINDS = ['period', 'oneOff'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/** A payment, credit that was granted, and what was given back. */
export const RECEIPT_KINDS = ['payment', 'credit', 'refund'] as const
export type ReceiptKind = (typeof RECEIPT_KINDS)[number]

/**
 * waiting: its link is valid. expired: it is not any more. trial: the trial of its company lasts. unpaid: the company was
 * invoiced and paid nothing. customer: it paid an invoice. lost: the trial is over without an invoice.
 */
export const LEAD_STATES = ['waiting', 'expired', 'trial', 'unpaid', 'customer', 'lost'] as const
export type LeadState = (typeof LEAD_STATES)[number]

/** The steps of the funnel; who reached one reached those before it. */
export const LEAD_STEPS = ['asked', 'completed', 'invoiced', 'paid'] as const
export type LeadStep = (typeof LEAD_STEPS)[number]

/** A company that was deleted, and a receipt of one, has a negative number: it counts in the months before, without a name. */
export const isFormer = (number: number): boolean => number < 0

/** The month some months before another, or before that of a day: `2026-01` is one before `2026-02`. */
export function monthBefore(month: string, months = 1): string {
  const [year, at] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, at - 1 - months, 1)).toISOString().slice(0, 7)
}

/** The first day of a month, and of the next one. */
export const boundsOf = (month: string) => ({ from: `${month}-01`, until: `${monthBefore(month, -1)}-01` })

/**
 * The day on which the recurring revenue of a month is counted: its last one, or today while it lasts. A month to come is
 * counted today, too.
 */
export function countedOn(month: string, today: string): string {
  const { until } = boundsOf(month)
  const last = new Date(Date.parse(until) - 86_400_000).toISOString().slice(0, 10)
  return last < today ? last : today
}

/** The percentage of `before` that is gone, to one decimal; null where there was nothing before. */
export const rateOf = (gone: number, before: number): number | null =>
  before === 0 ? null : Math.round((gone * 1_000) / before) / 10
