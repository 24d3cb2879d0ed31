/** Days before the end of a period when the next one's invoice is made (OP-127). */
export const DAYS_AHEAD = 10

/** What was paid is neither paid again nor deleted. */
export const isPaid = ({ status }: { status: string }) => status === 'RECEIVED' || status === 'CONFIRMED'

/** What is still to be paid, wholly or in part. */
export const isOwed = ({ status }: { status: string }) => status === 'PENDING' || status === 'OVERDUE'

const MOST_CENTS = 1_000_000_000
const DAY_MS = 86_400_000

/** The cents of `1.234,50` or `R$ 1.234,5`; null for what is no amount above zero. */
export function parseBrl(written: string): number | null {
  const found = /^(?:R\$)?\s*(\d{1,3}(?:\.\d{3})+|\d{1,8})(?:,(\d{1,2}))?$/.exec(
    written.trim().replace(/\u00a0/g, ' '),
  )
  if (!found) return null
  const cents = Number(found[1]!.replaceAll('.', '')) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
  return cents > 0 && cents <= MOST_CENTS ? cents : null
}

const msOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** A date plus a number of days, which may be negative. */
export const daysFrom = (day: string, days: number) => dayOf(msOf(day) + days * DAY_MS)

/** The date some months later: on the day `anchor`, or the last day of a shorter month. */
export function monthsFrom(day: string, months: number, anchor: number): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(anchor, last)))
}

/** Whether an invoice may be due then: within a year of its period's beginning. */
export const dueWithin = (start: string, due: string) => Math.abs(msOf(due) - msOf(start)) <= 366 * DAY_MS

/** Whether money may have come in then: within a year of today, or of the day on which it was due. */
export const paidWithin = (today: string, due: string, paidOn: string) =>
  dueWithin(today, paidOn) || dueWithin(due, paidOn)

const months = { month1: 1, months3: 3, months6: 6, months12: 12 } as const
export type RecurrenceMonths = (typeof months)[keyof typeof months]

const values = {
  month1: 'value1Month',
  months3: 'value3Months',
  months6: 'value6Months',
  months12: 'value12Months',
} as const

interface Priced {
  recurrence: keyof typeof months
  value1Month: number
  value3Months: number
  value6Months: number
  value12Months: number
}

/** Months per payment of a plan (OP-27), and their total in cents. */
export function priceOf(plan: Priced): { months: RecurrenceMonths; cents: number } {
  const { recurrence } = plan
  return { months: months[recurrence], cents: plan[values[recurrence]] * months[recurrence] }
}

/** Whether a company with this plan gets invoices by itself. */
export const isBilled = (plan: Priced & { automaticInvoice: boolean }) =>
  plan.automaticInvoice && priceOf(plan).cents > 0

/** From when to when a company is not billed: it is switched off, or its subscription rests. Null: until further notice. */
export interface Pause {
  from: string
  until: string | null
}

/** What decides about the next period of a company. */
export interface BillingTerms {
  /** Nothing before this day is billed. */
  from: string | null
  /** The last day that has an invoice, or that nothing was owed for. */
  through: string | null
  /** The day of the month on which periods begin, once there was one. */
  anchor: number | null
  trialEnd: string | null
  /** In the order of their first days. */
  pauses: Pause[]
}

export interface Period {
  start: string
  end: string
  due: string
  anchor: number
}

/**
 * The day on which the next period begins, and whether it follows the one before without a gap; null while the company is
 * not billed. The first one begins when the trial ends, or today (OP-121). A period that would begin within a pause begins
 * when the pause ends.
 */
export function nextStart(
  today: string,
  { from, through, trialEnd, pauses }: BillingTerms,
): { start: string; isBehind: boolean } | null {
  const behind = through && daysFrom(through, 1)
  let start = behind ?? (trialEnd !== null && trialEnd > today ? trialEnd : (from ?? today))
  if (from !== null && from > start) start = from
  for (const pause of pauses) {
    if (start < pause.from || (pause.until !== null && start >= pause.until)) continue
    if (pause.until === null) return null
    start = pause.until
  }
  return { start, isBehind: start === behind }
}

/**
 * The period of so many months that is to be invoiced by today, or null when there is none. Missed ones are due today, never
 * earlier.
 */
export function nextPeriod(today: string, billing: BillingTerms, months: number): Period | null {
  const next = nextStart(today, billing)
  if (!next || daysFrom(next.start, -DAYS_AHEAD) > today) return null
  const { start, isBehind } = next
  // an invoice by hand may have ended on any day: a period behind it is a whole one
  const isKept = isBehind && billing.anchor !== null && monthsFrom(start, 0, billing.anchor) === start
  const anchor = isKept ? billing.anchor! : Number(start.slice(8))
  const end = daysFrom(monthsFrom(start, months, anchor), -1)
  return { start, end, due: start > today ? start : today, anchor }
}
