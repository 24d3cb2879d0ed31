import {
  type ChargeInput,
  type DiscountInput,
  pricing,
  type ReadjustmentInput,
} from '@balcao/contract/pricing.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { askAgain, queryClient } from '../../platform/query.ts'
import { BILLING } from '../billing/billing.api.ts'
import { invoicesChanged } from '../invoices/invoices.api.ts'

const of = (companyId: number) => ({ params: { companyId } })

/** The discounts and readjustments of a company. */
export const companyPricing = (companyId: number) =>
  queryOptions({
    queryKey: ['pricing', companyId],
    queryFn: () => call(pricing.show, of(companyId)),
    staleTime: 0,
  })

type Changed = Awaited<ReturnType<typeof call<typeof pricing.show>>>

/** The next invoice follows from it. */
async function keep(saved: Changed): Promise<void> {
  queryClient.setQueryData(companyPricing(saved.companyId).queryKey, saved)
  await askAgain({ queryKey: BILLING })
}

/** Throws ApiError. */
export async function chargeOnce(companyId: number, body: z.input<typeof ChargeInput>): Promise<void> {
  await call(pricing.charge, { ...of(companyId), body })
  await invoicesChanged()
}

/** Throws ApiError. */
export const giveDiscount = async (companyId: number, body: z.input<typeof DiscountInput>) =>
  keep(await call(pricing.discount, { ...of(companyId), body }))

/** Throws ApiError. */
export const endDiscount = async (companyId: number, discountId: number) =>
  keep(await call(pricing.endDiscount, { params: { companyId, discountId } }))

/** Throws ApiError. */
export const announceReadjustment = async (companyId: number, body: z.input<typeof ReadjustmentInput>) =>
  keep(await call(pricing.readjust, { ...of(companyId), body }))

/** Throws ApiError. */
export const withdrawReadjustment = async (companyId: number) =>
  keep(await call(pricing.withdraw, of(companyId)))
