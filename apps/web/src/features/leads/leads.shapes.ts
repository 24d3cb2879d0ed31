import { LeadInput, SubscriptionInput } from '@balcao/contract/leads.ts'

/** Shapes of the store's forms, loaded after its page is shown. */
export const leadShape = LeadInput

export const subscriptionShape = (asksPassword: boolean) =>
  asksPassword ? SubscriptionInput.required({ password: true }) : SubscriptionInput.omit({ password: true })
