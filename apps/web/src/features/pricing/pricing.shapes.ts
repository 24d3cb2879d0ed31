import { DiscountInput } from '@balcao/contract/pricing.ts'
import { z } from 'zod'
import { chosenReduction, type ReductionValues } from '../coupons/coupons.shapes.ts'

type DiscountValues = ReductionValues & { reason: string }

export const DiscountForm = z.preprocess(values => chosenReduction(values as DiscountValues), DiscountInput)
