import { LeadInput, SubscriptionInput } from '@balcao/contract/leads.ts'

/** The shapes of the store's forms, which come when its page stands already. */
export const leadShape = LeadInput

export const subscriptionShape = (asksPassword: boolean) =>
  asksPassword ? SubscriptionInput.required({ password: true }) : SubscriptionInput.omit({ password: true })
