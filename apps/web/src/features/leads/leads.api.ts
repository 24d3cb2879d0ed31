import { type LeadInput, leads, type SubscriptionInput } from '@balcao/contract/leads.ts'
import { plans } from '@balcao/contract/plans.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, call } from '../../platform/call.ts'
import { language } from '../../platform/text.ts'

/** What anybody is offered, the cheapest first. */
export const offers = queryOptions({
  queryKey: ['store', 'plans'],
  queryFn: async () => (await call(plans.public)).plans,
})

/** A refusal stands; what did not arrive is asked again. */
const onceRefused = (times: number, error: Error) =>
  times < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

/** The lead of a letter. */
export const openLead = (leadId: string) =>
  queryOptions({
    queryKey: ['store', 'lead', leadId],
    queryFn: () => call(leads.show, { params: { leadId } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: onceRefused,
  })

/** Throws ApiError. */
export const askForPlan = (body: LeadInput) => call(leads.create, { body: { ...body, language: language() } })

/** Throws ApiError. */
export const completeLead = (body: SubscriptionInput) => call(leads.complete, { body })

/** Whether a number has WhatsApp; null where nobody can say. */
export const hasWhatsApp = (number: string): Promise<boolean | null> =>
  call(leads.findWhatsapp, { params: { number } }).then(
    ({ exists }) => exists,
    () => null,
  )
