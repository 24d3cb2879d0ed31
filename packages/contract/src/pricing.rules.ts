/** A price less so many percent, or cents: one of both. */
export interface Reduction {
  percent: number | null
  value: number | null
}

/** Cents that a price is reduced by: an invoice asks for one cent at least. */
export const reductionOf = (cents: number, { percent, value }: Reduction): number =>
  Math.max(0, Math.min(percent === null ? value! : Math.round((cents * percent) / 100), cents - 1))

/** A discount that lasts for so many more periods. */
export interface OpenDiscount extends Reduction {
  id: number
  left: number
}

/** The first discount of which periods are left reduces the price of a period; null: none does. */
export function discounted(cents: number, discounts: OpenDiscount[]): { id: number; value: number } | null {
  const discount = discounts.find(({ left }) => left > 0)
  const value = discount ? reductionOf(cents, discount) : 0
  return discount && value > 0 ? { id: discount.id, value } : null
}

/** Cents a month after a readjustment by hundredths of a percent, to the cent. */
export const readjusted = (cents: number, rate: number): number =>
  Math.round((cents * (10_000 + rate)) / 10_000)

/** Days between the announcement of a readjustment and its first day, at least. */
export const ANNOUNCED_DAYS = 30

/** A code as it is stored and compared. */
export const couponCodeOf = (written: string): string => written.trim().toUpperCase()

/** Hundredths of a percent of `5,23` or `-1`; null for what is none. */
export function rateOfPercent(written: string): number | null {
  const found = /^(-?)(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(written.trim())
  if (!found) return null
  const rate = Number(found[2]) * 100 + Number((found[3] ?? '').padEnd(2, '0'))
  return found[1] ? -rate : rate
}

/** `5,23` of 523 hundredths of a percent. */
export const percentOf = (rate: number): string => String(rate / 100).replace('.', ',')
