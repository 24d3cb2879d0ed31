import { SubscriptionPauseInput } from '@balcao/contract/billing.ts'
import { day } from '@balcao/contract/kit.ts'
import { z } from 'zod'

export const TrialInput = z.object({ trialEndsOn: day })
export const BilledFromInput = z.object({
  billedFrom: day,
  invoices: z.string().regex(/^\d{0,4}$/, '0–1000'),
})

/** The form of a pause: an empty end is until further notice. */
export const PauseInput = z.preprocess(
  values =>
    typeof values === 'object' && values && 'until' in values && values.until === ''
      ? { ...values, until: null }
      : values,
  SubscriptionPauseInput,
)
