import { randomBytes } from 'node:crypto'
import { plainDocument } from '@balcao/contract/companies.rules.ts'
import { trialEnd } from '@balcao/contract/leads.rules.ts'
import type { OpenLead, SubscriptionInput } from '@balcao/contract/leads.ts'
import { isSoldBy } from '@balcao/contract/plans.rules.ts'
import { readLink } from '../../platform/access/links.ts'
import { hashNewPassword } from '../../platform/access/passwords.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseTime } from '../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { addFirstLink } from '../accounts/accounts.actions.ts'
import { type Client, type OpenedSession, openSession } from '../auth/auth.actions.ts'
import { addFirstContacts } from '../billingNotices/billingNotices.queries.ts'
import { copyPlan, type PlanRow } from '../companies/companies.plan.queries.ts'
import { insertCompany } from '../companies/companies.queries.ts'
import { writeFirstMail } from '../mails/mails.actions.ts'
import { shownPlan } from '../plans/plans.queries.ts'
import { giveCoupon } from '../pricing/pricing.actions.ts'
import { acceptedTerms } from '../terms/terms.actions.ts'
import { currentTerms, recordAcceptance } from '../terms/terms.queries.ts'
import { addFirstAdmin } from '../users/users.queries.ts'
import {
  findOffered,
  findOpenLead,
  foundedAt,
  type LeadRow,
  planOf,
  shownLead,
  updateLead,
} from './leads.queries.ts'
import { accessLetter } from './leads.text.ts'
import { spendTrial } from './leads.trials.queries.ts'

type Tools = Pick<Platform, 'access' | 'mail' | 'jobs' | 'secrets' | 'log'>

/** The lead of a link. Refuses with ERR_NO_LEAD_FOUND, ERR_LEAD_COMPLETED. */
export const openLead = (platform: PlatformScope, tools: Tools, leadId: string): Promise<OpenLead> =>
  platform.transaction(async sql => {
    const lead = await findOpenLead(sql, keyOf(tools, leadId), { lock: false })
    const plan = await planOf(sql, lead)
    return {
      ...shownLead({ ...lead, planId: plan && lead.planId }, leadId),
      plan: plan && shownPlan(plan),
      asksPassword: !tools.mail.isSetUp,
      terms: await currentTerms(sql),
    }
  })

/**
 * Makes a company of a lead: its admin, a copy of the plan, and the e-mail with the access link, or none of them. Of two concurrent
 * requests one succeeds. Refuses with ERR_NO_LEAD_FOUND, ERR_LEAD_COMPLETED, ERR_EMAIL_EXISTS, ERR_NO_PLAN_FOUND,
 * ERR_PLAN_UNPRICED, ERR_TRIAL_USED, ERR_TERMS_OPEN, and without mail with ERR_BAD_REQUEST where no password is given.
 */
export async function completeLead(
  platform: PlatformScope,
  tools: Tools,
  input: SubscriptionInput,
  client: Client,
): Promise<{ email: string; trialEndsAt: string; opened: OpenedSession | null }> {
  const key = keyOf(tools, input.leadId)
  await platform.transaction(sql => findOpenLead(sql, key, { lock: false }))
  const { isSetUp } = tools.mail
  if (!isSetUp && !input.password) refuse('ERR_BAD_REQUEST', { field: 'password', message: 'Required' })
  // the e-mail leads to the first password; until then a random one is set
  const password = (!isSetUp && input.password) || randomBytes(32).toString('base64url')
  const passwordHash = await hashNewPassword(platform, password, `lead ${key}`)
  try {
    const made = await platform.transaction(async sql => {
      const lead = await findOpenLead(sql, key, { lock: true })
      return found(sql, tools, lead, { ...input, passwordHash })
    })
    tools.log.info({ lead: made.lead, companyId: made.companyId }, 'a lead became a company')
    const { email, companyId, userId } = made
    // the company is made: without a session its admin logs in
    const opened = input.logIn
      ? await openSession(platform, tools, { companyId, userId }, client).catch((error: unknown) => {
          tools.log.warn({ err: error, companyId }, 'a new company was not logged in')
          return null
        })
      : null
    return { email, trialEndsAt: trialEnd(made.createdAt), opened }
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  }
}

const keyOf = ({ secrets }: Tools, leadId: string) => readLink(secrets.links, 'lead', leadId)

async function found(
  sql: Sql,
  tools: Tools,
  lead: LeadRow,
  input: SubscriptionInput & { passwordHash: string },
) {
  const { email } = lead
  await spendTrial(sql, plainDocument(input.documentNumber))
  const terms = await acceptedTerms(sql, input.termsVersion)
  const companyId = await insertCompany(sql, { ...companyOf(lead, input), termsDue: false })
  if (terms) await recordAcceptance(sql, { companyId, termsId: terms.id, name: lead.name, email })
  await copyPlan(sql, companyId, await chosenPlan(sql, lead, input))
  if (lead.couponId !== null) await giveCoupon(sql, companyId, lead.couponId)
  const { passwordHash } = input
  const { id: userId } = await addFirstAdmin(sql, { companyId, name: lead.name, email, passwordHash })
  const completedAt = databaseTime()
  await updateLead(sql, lead.id, { companyId, completedAt })
  await addFirstContacts(sql, companyId, input.contacts ?? [])
  if (tools.mail.isSetUp) await writeAccess(sql, tools, lead, { companyId, userId })
  return { email, companyId, userId, lead: lead.id, createdAt: await foundedAt(sql, companyId) }
}

/** The plan with its period: of the lead, where the form does not choose anew. */
async function chosenPlan(
  sql: Sql,
  lead: LeadRow,
  { planId, recurrence = lead.recurrence }: SubscriptionInput,
): Promise<PlanRow> {
  const isAnother = planId !== undefined && planId !== lead.planId
  const plan = isAnother ? await findOffered(sql, planId) : await planOf(sql, lead)
  if (!plan) return refuse('ERR_NO_PLAN_FOUND', { field: 'planId' })
  if (!isSoldBy(plan, recurrence)) refuse('ERR_PLAN_UNPRICED', { field: 'recurrence' })
  return { ...plan, recurrence }
}

/** E-mails hold no password: the link leads to where one is chosen. */
async function writeAccess(
  sql: Sql,
  { jobs }: Tools,
  { id, name, email, language }: LeadRow,
  { companyId, userId }: { companyId: number; userId: number },
): Promise<void> {
  const linkId = await addFirstLink(sql, companyId, { userId, language })
  await writeFirstMail(sql, jobs, companyId, {
    cause: `lead:${id}`,
    to: email,
    letter: accessLetter(language, name, email),
    link: { purpose: 'reset', id: linkId },
  })
}

/** The input of the sign-up as the row of the company. */
function companyOf(lead: LeadRow, input: SubscriptionInput): Parameters<typeof insertCompany>[1] {
  const {
    leadId: _link,
    password: _own,
    language: _language,
    logIn: _now,
    termsVersion: _terms,
    ...rest
  } = input
  const { contacts = [], planId: _plan, recurrence: _period, ...known } = rest
  const listed = (field: 'email' | 'whatsapp') => contacts.flatMap(contact => contact[field] || []).join(', ')
  return {
    ...known,
    documentNumber: plainDocument(known.documentNumber),
    email: lead.email,
    leadId: lead.id,
    emailsOfNotifications: listed('email'),
    whatsappsOfNotifications: listed('whatsapp'),
  }
}
