import type { OpenLead, SubscriptionInput } from '@balcao/contract/leads.ts'
import { soldBy } from '@balcao/contract/plans.rules.ts'
import type { PlanChosen } from './lead-plan.tsx'

const noAddress = {
  ...{ cep: '', street: '', numberAddress: '', complement: '' },
  ...{ district: '', city: '', state: '', country: '' },
}

/** A notification contact as its form has it. */
export interface ContactValues {
  contactName: string
  email: string
  whatsapp: string
}

export const noContact: ContactValues = { contactName: '', email: '', whatsapp: '' }

/** Defaults of the form that completes a lead: the requester receives the billing notices unless changed. */
export const subscriptionValues = ({ name, email, whatsAppNumber }: OpenLead, leadId: string) => ({
  leadId,
  documentNumber: '',
  name: '',
  companyName: '',
  ...noAddress,
  contacts: [{ contactName: name, email, whatsapp: whatsAppNumber }] as ContactValues[],
  password: '',
  termsVersion: '',
})
export type SubscriptionValues = ReturnType<typeof subscriptionValues>

/** The form as it is sent, with the plan that was chosen. */
export const subscriptionOf = (
  { password, termsVersion, ...values }: SubscriptionValues,
  { plan, recurrence }: PlanChosen,
  asksPassword: boolean,
): SubscriptionInput => ({
  ...values,
  ...(plan && { planId: plan.id, recurrence: soldBy(plan, recurrence) }),
  ...(asksPassword && { password }),
  ...(termsVersion && { termsVersion }),
})
