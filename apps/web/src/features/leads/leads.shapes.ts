import { newPasswordOf } from '@balcao/contract/accounts.ts'
import { LeadInput, SubscriptionInput } from '@balcao/contract/leads.ts'

/** Shapes of the store's forms, loaded after its page is shown. */
export const leadShape = LeadInput

export const subscriptionShape = (asksPassword: boolean, least: number) =>
  asksPassword
    ? SubscriptionInput.extend({ password: newPasswordOf(least) })
    : SubscriptionInput.omit({ password: true })
