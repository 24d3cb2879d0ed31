import { type LeadInput, leads, type SubscriptionInput } from '@balcao/contract/leads.ts'
import { plans } from '@balcao/contract/plans.ts'
import type { z } from 'zod'
import { call, token } from '../../platform/call.ts'
import { language } from '../../platform/text.ts'

/** Public offers, the cheapest first. */
export const findOffers = async () => (await call(plans.public)).plans

/** The lead of a link in a letter. Throws ApiError. */
export const findLead = (leadId: string) => call(leads.show, { params: { leadId } })

/** Throws ApiError. */
export const askForPlan = (body: LeadInput) => call(leads.create, { body: { ...body, language: language() } })

export type Completed = z.output<typeof leads.complete.reply>

/** Opens a session, unless somebody is logged in at this browser. Throws ApiError. */
export const completeLead = (body: SubscriptionInput): Promise<Completed> =>
  call(leads.complete, { body: { ...body, logIn: token.read() === '' } })

/** Whether a number has WhatsApp, and how WhatsApp writes it; null if the lookup is unavailable. */
export const lookUpWhatsApp = (number: string): Promise<{ exists: boolean; number: string } | null> =>
  call(leads.findWhatsapp, { params: { number } }).catch(() => null)
