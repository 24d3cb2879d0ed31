/** What a plan costs a month, in cents, by the period that is paid at once. */
export interface Prices {
  value1Month: number
  value3Months: number
  value6Months: number
  value12Months: number
}

const written = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Cents as Brazilian currency: `R$ 1.234,50`, with a plain space instead of a no-break space. */
export const brl = (cents: number): string => written.format(cents / 100).replace(/\u00a0/g, ' ')

/**
 * Displayed prices of a plan: each value as text, the total of the period, and the discount in percent against single
 * months; 0 where there is none.
 */
export function shownPrices({ value1Month, value3Months, value6Months, value12Months }: Prices) {
  const of = (value: number, months: number) => ({
    brl: brl(value),
    total: value * months,
    totalBrl: brl(value * months),
    discount: value > 0 && value < value1Month ? Math.floor(((value1Month - value) * 100) / value1Month) : 0,
  })
  const [one, three, six, twelve] = [
    of(value1Month, 1),
    of(value3Months, 3),
    of(value6Months, 6),
    of(value12Months, 12),
  ]
  return {
    value1MonthBrl: one.brl,
    value1MonthTotal: one.total,
    value1MonthTotalBrl: one.totalBrl,
    value1MonthDiscount: one.discount,
    value3MonthsBrl: three.brl,
    value3MonthsTotal: three.total,
    value3MonthsTotalBrl: three.totalBrl,
    value3MonthsDiscount: three.discount,
    value6MonthsBrl: six.brl,
    value6MonthsTotal: six.total,
    value6MonthsTotalBrl: six.totalBrl,
    value6MonthsDiscount: six.discount,
    value12MonthsBrl: twelve.brl,
    value12MonthsTotal: twelve.total,
    value12MonthsTotalBrl: twelve.totalBrl,
    value12MonthsDiscount: twelve.discount,
  }
}

const values = {
  month1: 'value1Month',
  months3: 'value3Months',
  months6: 'value6Months',
  months12: 'value12Months',
} as const
type Recurrence = keyof typeof values

/** Whether the plan is sold by this period: one without a price is not, in a plan that has one. */
export const isSoldBy = (plan: Prices, recurrence: Recurrence) =>
  !isPriced(plan) || plan[values[recurrence]] > 0

/** The wanted period where the plan is sold by it, else the shortest by which it is. */
export const soldBy = (plan: Prices, wanted: Recurrence): Recurrence =>
  isSoldBy(plan, wanted) ? wanted : RECURRENCES.find(recurrence => isSoldBy(plan, recurrence))!

const RECURRENCES = ['month1', 'months3', 'months6', 'months12'] as const

/** Whether the plan costs anything, by any period. */
export const isPriced = (plan: Prices) =>
  plan.value1Month > 0 || plan.value3Months > 0 || plan.value6Months > 0 || plan.value12Months > 0
