import { type Coupon, CouponInput } from '@balcao/contract/pricing.ts'
import { z } from 'zod'

export const noReduction = { percent: '', valueBrl: '', periods: '1' }

export type ReductionValues = typeof noReduction

const numberOr = (written: string) => (written.trim() === '' ? null : Number(written))

/** What is empty in a form is not chosen. */
export const chosenReduction = <Values extends ReductionValues>({
  percent,
  valueBrl,
  periods,
  ...others
}: Values) => ({
  ...others,
  percent: numberOr(percent),
  valueBrl: valueBrl.trim() || null,
  periods: Number(periods),
})

type CouponValues = ReductionValues & { code: string; mostUses: string; endsOn: string }

export const couponOf = ({ mostUses, endsOn, ...values }: CouponValues) => ({
  ...chosenReduction(values),
  mostUses: numberOr(mostUses),
  endsOn: endsOn || null,
})

export const CouponForm = z.preprocess(values => couponOf(values as CouponValues), CouponInput)

/** `10 %` or `R$ 20,00`. */
export const reductionText = ({ percent, valueBrl }: Pick<Coupon, 'percent' | 'valueBrl'>) =>
  percent === null ? valueBrl : `${percent} %`
