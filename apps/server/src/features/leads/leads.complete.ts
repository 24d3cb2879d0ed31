import { randomBytes } from 'node:crypto'
import { plainDocument } from '@balcao/contract/companies.rules.ts'
import { trialEnd } from '@balcao/contract/leads.rules.ts'
import type { OpenLead, SubscriptionInput } from '@balcao/contract/leads.ts'
import type { Platform } from '../../platform/app.ts'
import type { Sql } from '../../platform/db.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { readLink } from '../../platform/links.ts'
import { hashPassword } from '../../platform/passwords.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { eq } from '../../platform/sql.ts'
import { addFirstLink } from '../accounts/accounts.actions.ts'
import { addFirstContacts } from '../billingNotices/billingNotices.contacts.ts'
import { insertCompany } from '../companies/companies.actions.ts'
import { copyPlan } from '../companies/companies.plan.ts'
import { companies } from '../companies/companies.table.ts'
import { writeFirstMail } from '../mails/mails.actions.ts'
import { shownPlan } from '../plans/plans.queries.ts'
import { addFirstAdmin } from '../users/users.first.ts'
import { findOpenLead, type LeadRow, planOf, shownLead } from './leads.queries.ts'
import { leads } from './leads.table.ts'
import { accessLetter } from './leads.text.ts'

type Tools = Pick<Platform, 'mail' | 'jobs' | 'secrets' | 'log'>

/** A lead for who follows its link. Refuses with ERR_NO_LEAD_FOUND, ERR_LEAD_COMPLETED. */
export const openLead = (platform: PlatformScope, tools: Tools, leadId: string): Promise<OpenLead> =>
  platform.transaction(async sql => {
    const lead = await findOpenLead(sql, keyOf(tools, leadId), false)
    const plan = await planOf(sql, lead)
    return {
      ...shownLead(lead, leadId),
      plan: plan && shownPlan(plan),
      asksPassword: !tools.mail.isSetUp,
    }
  })

/**
 * Makes a company of a lead: its admin, a copy of the plan, and the letter that lets him in, or none of them. Of two who
 * ask at once one does. Refuses with ERR_NO_LEAD_FOUND, ERR_LEAD_COMPLETED, ERR_EMAIL_EXISTS, and without mail with
 * ERR_BAD_REQUEST where no password is given.
 */
export async function completeLead(
  platform: PlatformScope,
  tools: Tools,
  input: SubscriptionInput,
  ip: string,
): Promise<{ email: string; trialEndsAt: string }> {
  const key = keyOf(tools, input.leadId)
  await platform.transaction(sql => findOpenLead(sql, key, false))
  const { isSetUp } = tools.mail
  if (!isSetUp && !input.password) refuse('ERR_BAD_REQUEST', { field: 'password', message: 'Required' })
  // where a letter leads to the first password nobody knows the one that stands until then
  const password = (!isSetUp && input.password) || randomBytes(32).toString('base64url')
  const passwordHash = await hashPassword(password, ip)
  try {
    const made = await platform.transaction(async sql => {
      const lead = await findOpenLead(sql, key, true)
      return found(sql, tools, lead, { ...input, passwordHash })
    })
    tools.log.info({ lead: made.lead, companyId: made.companyId }, 'a lead became a company')
    return { email: made.email, trialEndsAt: trialEnd(made.createdAt) }
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
  const companyId = await insertCompany(sql, companyOf(lead, input))
  const plan = await planOf(sql, lead)
  if (plan) await copyPlan(sql, companyId, { ...plan, recurrence: lead.recurrence })
  const { passwordHash } = input
  const { id: userId } = await addFirstAdmin(sql, { companyId, name: lead.name, email, passwordHash })
  const completedAt = new Date().toISOString()
  await sql.update(leads).set({ companyId, completedAt }).where(eq(leads.id, lead.id))
  await addFirstContacts(sql, companyId, input.contacts ?? [])
  if (tools.mail.isSetUp) await writeAccess(sql, tools, lead, { companyId, userId })
  const [company] = await sql
    .select({ createdAt: companies.createdAt })
    .from(companies)
    .where(eq(companies.id, companyId))
  return { email, companyId, lead: lead.id, createdAt: company!.createdAt }
}

/** No password stands in a letter: it leads to where one is chosen. */
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

/** What is asked of who signs up, as the row of his company. */
function companyOf(lead: LeadRow, input: SubscriptionInput): Parameters<typeof insertCompany>[1] {
  const { leadId: _link, contacts = [], password: _own, language: _spoken, ...known } = input
  const told = (field: 'email' | 'whatsapp') => contacts.flatMap(contact => contact[field] || []).join(', ')
  return {
    ...known,
    documentNumber: plainDocument(known.documentNumber),
    email: lead.email,
    leadId: lead.id,
    emailsOfNotifications: told('email'),
    whatsappsOfNotifications: told('whatsapp'),
  }
}
