import { newPasswordOf } from '@balcao/contract/accounts.ts'
import { LeadInput, SubscriptionInput } from '@balcao/contract/leads.ts'
import { TermsVersion } from '@balcao/contract/terms.ts'
import { z } from 'zod'

/** Shapes of the store's forms, loaded after its page is shown. */
export const leadShape = LeadInput

export const subscriptionShape = (asks: { password: boolean; terms: boolean }, least: number) => {
  const { password: _own, termsVersion: _terms, ...shape } = SubscriptionInput.shape
  return z.object({
    ...shape,
    ...(asks.password && { password: newPasswordOf(least) }),
    ...(asks.terms && { termsVersion: TermsVersion }),
  })
}
