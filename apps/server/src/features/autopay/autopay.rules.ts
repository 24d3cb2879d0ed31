import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import type { UnchargedReason } from '@balcao/contract/ledger.rules.ts'

/** Of an invoice that is not debited by an authorization that counts. */
export const UNSCHEDULED: UnchargedReason = 'unscheduled'

/** Banks take the order of a debit at most so many days before its day. */
const MOST_DAYS = 10
/** They need two working days; one more, since a holiday may be among them. */
const LEAST_WORKDAYS = 3

/**
 * Whether a debit by PIX Automático can be ordered today for a day: `open`, `late`, or `early` with the first day on which it
 * can. https://docs.asaas.com/docs/implementation, by which it is ordered 2 to 10 working days before.
 */
export function debitWindow(
  today: string,
  dueDate: string,
): { is: 'open' | 'late' } | { is: 'early'; from: string } {
  const from = daysFrom(dueDate, -MOST_DAYS)
  if (today < from) return { is: 'early', from }
  return { is: workdaysUntil(today, dueDate) >= LEAST_WORKDAYS ? 'open' : 'late' }
}

/** Mondays to Fridays after a day, with the other one; both are at most MOST_DAYS apart. */
function workdaysUntil(day: string, until: string): number {
  let count = 0
  for (let next = daysFrom(day, 1); next <= until; next = daysFrom(next, 1)) {
    const weekday = new Date(`${next}T00:00:00Z`).getUTCDay()
    if (weekday !== 0 && weekday !== 6) count++
  }
  return count
}

/** The name of an authorization at the provider, whose field takes 35 characters. */
export const contractOf = (reference: string) => reference.replaceAll('-', '')
