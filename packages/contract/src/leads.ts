import { z } from 'zod'
import { newPassword } from './accounts.ts'
import { looksLikeNumber, NO_NUMBER, NotificationContact, withoutMarks } from './billingNotices.ts'
import { addressInput, documentNumber, line } from './companies.ts'
import { id, idOrNone, instant, localeTag, route } from './kit.ts'
import { nameWithin, Plan, Recurrence } from './plans.ts'
import { Terms, TermsVersion } from './terms.ts'

/** Status of a lead, in the terms of the documents. */
export const LEAD_WAITING = 'aguardando completar o cadastro'
export const LEAD_COMPLETED = 'cadastro concluído'
export const MY_STORE = 'myStore'

/** Days that the link of a lead's letter is valid. */
export const LEAD_DAYS = 7
/** Notification contacts accepted with a sign-up. */
export const MOST_SIGN_UP_CONTACTS = 10

const NO_NAME = 'Digite e Nome'
const NO_EMAIL = 'Digite um email'

/** With its area code, in any way of writing; which number it is the server decides (`readNumber`). */
const phoneNumber = z
  .string({ error: 'Required' })
  .trim()
  .max(30, NO_NUMBER)
  .refine(looksLikeNumber, NO_NUMBER)

const name = z
  .string({ error: NO_NAME })
  .trim()
  .min(1, NO_NAME)
  .min(2, 'Muito curto')
  .max(50, 'Muito Longo')
  .refine(isOneLine, 'Nome em uma linha')

/** A name that breaks its line is more than a name. */
function isOneLine(written: string) {
  return !/[\p{Cc}\u2028\u2029]/u.test(written)
}

const email = z
  .string({ error: NO_EMAIL })
  .trim()
  .min(1, NO_EMAIL)
  .max(200, 'Email Invalido')
  .pipe(z.email('Email Invalido'))

/** Fields of the store's form. */
export const LeadInput = z.object({
  name,
  email,
  whatsAppNumber: z.string({ error: 'Required' }).min(1, 'Required').pipe(phoneNumber),
  /** None: the plan that new companies get, where it is offered. */
  planId: idOrNone.optional(),
  origin: z.string().trim().max(50, 'Too Long!').optional(),
  /** Accepted and ignored: the server decides what a lead is. */
  status: z.string().max(100).optional(),
  recurrence: Recurrence.optional(),
  /** A code of the store. */
  coupon: z.string().trim().max(30, 'Too Long!').optional(),
  language: localeTag.optional(),
  /** Honeypot: hidden from people, so that a value means a bot. */
  website: z.string().max(500).optional(),
})
export type LeadInput = z.output<typeof LeadInput>

/** A person who requested a plan and may become a company. */
export const Lead = z.object({
  /** Its holder may complete the sign-up. Null where it is only in a letter. */
  id: z.string().nullable(),
  name: z.string(),
  email: z.string(),
  whatsAppNumber: z.string(),
  planId: z.int().nullable(),
  origin: z.string(),
  status: z.enum([LEAD_WAITING, LEAD_COMPLETED]),
  recurrence: Recurrence,
})
export type Lead = z.infer<typeof Lead>

/** A lead for the holder of its link. */
export const OpenLead = Lead.extend({
  /** What the company will get; null where it is gone and another is to be chosen. */
  plan: Plan.nullable(),
  /** Where no mail is set up the password is chosen here, else by a letter. */
  asksPassword: z.boolean(),
  /** What is to be accepted; null: nothing. */
  terms: Terms.nullable(),
})
export type OpenLead = z.infer<typeof OpenLead>

/** The complete data of a lead: the company that is created from it. */
export const SubscriptionInput = z.object({
  leadId: z.string({ error: 'Required' }).min(1, 'Required').max(200, 'Too Long!'),
  documentNumber: z.string({ error: 'Required' }).min(1, 'Required').pipe(documentNumber),
  name: nameWithin(150),
  companyName: line,
  ...addressInput,
  contacts: z.array(NotificationContact).max(MOST_SIGN_UP_CONTACTS, 'Too Long!').optional(),
  /** Required where no mail is set up. */
  password: newPassword.optional(),
  /** Opens a session of the admin. With mail the link was sent to the lead's address; without it the caller chose the password. */
  logIn: z.boolean().optional(),
  /** Another plan or period than the lead asked for; required where its plan is gone. */
  planId: id.optional(),
  recurrence: Recurrence.optional(),
  language: localeTag.optional(),
  /** The version of the terms that was accepted; required where the operator has terms. */
  termsVersion: TermsVersion.optional(),
})
export type SubscriptionInput = z.output<typeof SubscriptionInput>

const leadId = z.object({ leadId: z.string().min(1).max(200) })

/** The public way from the store to a company. */
export const leads = {
  create: route('POST', '/lead', {
    needs: 'nobody',
    summary:
      'Asks for a plan: the link that completes the sign-up goes to this address. Answers the same whoever has it; asked again, the open lead stays as it is and its link is sent again. ERR_PLAN_UNPRICED for a period without a price, ERR_COUPON_OVER for a code that gives nothing any more.',
    body: LeadInput,
    reply: Lead,
    limit: { counts: 'calls', caller: 10, account: 3, all: 60 },
  }),
  show: route('GET', '/lead/:leadId', {
    needs: 'nobody',
    summary: 'A lead that waits to be completed, by the id of its letter.',
    params: leadId,
    reply: OpenLead,
    limit: { counts: 'failures', caller: 30, all: 600 },
  }),
  complete: route('POST', '/subscription', {
    needs: 'nobody',
    summary:
      'Completes a lead, once: makes the company with its admin and a copy of the plan. Access is sent to the address of the lead. ERR_NO_PLAN_FOUND where the plan of the lead is gone and no other is named; ERR_TRIAL_USED where the operator gives one trial to each document; ERR_TERMS_OPEN where `termsVersion` is not the current one.',
    body: SubscriptionInput,
    reply: z.object({
      email: z.string(),
      trialEndsAt: instant,
      /** Of a session of the admin, where `logIn` asks for it; the refresh cookie is set. */
      token: z.string().nullable(),
    }),
    limit: { counts: 'calls', caller: 10, all: 120 },
  }),
  findWhatsapp: route('GET', '/helper/whatsapp/:number', {
    needs: 'nobody',
    summary:
      'Whether a number has WhatsApp, and how WhatsApp writes it, asked of a connection of the platform’s own company.',
    params: z.object({
      number: z
        .string()
        .max(30)
        .transform(withoutMarks)
        .refine(digits => /^\d{8,15}$/.test(digits), 'Not a number'),
    }),
    reply: z.object({ exists: z.boolean(), number: z.string() }),
    limit: { counts: 'calls', caller: 5, outside: 20 },
  }),
}
