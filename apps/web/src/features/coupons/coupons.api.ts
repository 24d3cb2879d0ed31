import { type CouponInput, pricing } from '@balcao/contract/pricing.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { askAgain } from '../../platform/query.ts'

/** The coupons of the store, the newest first. */
export const couponList = queryOptions({
  queryKey: ['pricing', 'coupons'],
  queryFn: () => call(pricing.coupons),
  staleTime: 0,
})

/** Throws ApiError. */
export async function addCoupon(body: z.input<typeof CouponInput>): Promise<void> {
  await call(pricing.addCoupon, { body })
  await askAgain({ queryKey: couponList.queryKey })
}

/** Throws ApiError. */
export async function closeCoupon(couponId: number): Promise<void> {
  await call(pricing.closeCoupon, { params: { couponId } })
  await askAgain({ queryKey: couponList.queryKey })
}
