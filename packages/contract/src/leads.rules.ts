import { isSoldBy } from './plans.rules.ts'
import type { Plan } from './plans.ts'

/** Length of the trial of a company that signed up by the store, before its first invoice is due (OP-121). */
export const TRIAL_DAYS = 15

const DAY_MS = 86_400_000

/** When the first invoice of a company that was founded then is due. */
export const trialEnd = (foundedAt: string): string =>
  new Date(Date.parse(foundedAt) + TRIAL_DAYS * DAY_MS).toISOString()

/** The offer that is chosen until somebody chooses: the one that the operator shows largest, else the first. */
export const firstOffer = (plans: Plan[]): Plan | undefined =>
  plans.find(({ highlighted }) => highlighted === 1) ?? plans[0]

/** The periods that may be paid at once, and what a plan costs by each. */
export const periods = [
  { recurrence: 'month1', months: 1, monthly: 'value1MonthBrl', total: 'value1MonthTotalBrl' },
  { recurrence: 'months3', months: 3, monthly: 'value3MonthsBrl', total: 'value3MonthsTotalBrl' },
  { recurrence: 'months6', months: 6, monthly: 'value6MonthsBrl', total: 'value6MonthsTotalBrl' },
  { recurrence: 'months12', months: 12, monthly: 'value12MonthsBrl', total: 'value12MonthsTotalBrl' },
] as const

const discounts = {
  month1: 'value1MonthDiscount',
  months3: 'value3MonthsDiscount',
  months6: 'value6MonthsDiscount',
  months12: 'value12MonthsDiscount',
} as const

/** A plan by each period by which it is sold: price per month, total, and discount in percent. */
export const pricesOf = (plan: Plan) =>
  periods
    .filter(({ recurrence }) => isSoldBy(plan, recurrence))
    .map(({ recurrence, months, monthly, total }) => ({
      recurrence,
      months,
      monthly: plan[monthly],
      total: plan[total],
      discount: plan[discounts[recurrence]],
    }))
