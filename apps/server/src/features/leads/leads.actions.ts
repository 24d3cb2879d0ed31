import { NO_NUMBER } from '@balcao/contract/billingNotices.ts'
import { LEAD_DAYS, type Lead, type LeadInput, MY_STORE } from '@balcao/contract/leads.ts'
import { USUAL_COUNTRY, wholeNumber } from '@balcao/contract/numbers.rules.ts'
import { isSoldBy, soldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { signedId } from '../../platform/access/links.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseNow, databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { networkOf } from '../../platform/http/rate-limits.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { NO_COMPANY } from '../../platform/work/job-queues.ts'
import { accountByEmail } from '../auth/auth.queries.ts'
import { signUpIsOpen } from '../companies/companies.settings.queries.ts'
import { takeCoupon } from '../pricing/pricing.coupons.queries.ts'
import { leadLetter } from './leads.jobs.ts'
import {
  countRecentLeads,
  findOffered,
  insertLead,
  type LeadRow,
  lockLeadOf,
  shownLead,
  updateLead,
} from './leads.queries.ts'

/** Per hour of one network: many users share an address, and more than these are programs. */
const LEADS_OF_A_NETWORK = 30
/** Beyond so many of all networks together one has fewer: programs at many addresses refuse no person. */
const LEADS_AN_HOUR = 300
const CROWDED_LEADS = 1
/** E-mails per address and day, so that a mailbox cannot be filled by others. */
const LETTERS_A_DAY = 3
const DAY_MS = 86_400_000

type Tools = Pick<Platform, 'mail' | 'jobs' | 'secrets' | 'log' | 'config'>

/**
 * Registers a person who asks for a plan, and sends the link to the address; the same answer whether it is known or not. An
 * open lead stays as it is: only its link changes it. Where no mail is set up the answer names the lead. Refuses with
 * ERR_USER_CREATION_DISABLED, ERR_NO_PLAN_FOUND, ERR_PLAN_UNPRICED, ERR_COUPON_OVER, ERR_TOO_MANY_REQUESTS, and without mail with
 * ERR_EMAIL_EXISTS.
 */
export async function registerLead(
  platform: PlatformScope,
  tools: Tools,
  { website, ...input }: LeadInput,
  ip: string,
): Promise<Lead> {
  const usual = valuesOf({ ...input, whatsAppNumber: fullNumber(input.whatsAppNumber) }, networkOf(ip))
  // the field is invisible: a program that fills it in gets the usual answer
  if (website) {
    tools.log.info('a lead was filled in by a program')
    return answered(usual)
  }
  return platform.transaction(async sql => {
    if (!(await signUpIsOpen(sql))) refuse('ERR_USER_CREATION_DISABLED')
    const recurrence = await periodOf(sql, input)
    const known = await lockLeadOf(sql, usual.email)
    // an open lead keeps the coupon that it has: its own use is no reason to refuse
    const isKept = tools.mail.isSetUp && known !== null && isOpen(known)
    const couponId =
      input.coupon && !isKept ? (await takeCoupon(sql, input.coupon, tools.config.tzDefault)).id : null
    const values = { ...usual, recurrence, couponId }
    const recent = await countRecentLeads(sql, values.network)
    if (recent.near >= (recent.all < LEADS_AN_HOUR ? LEADS_OF_A_NETWORK : CROWDED_LEADS))
      refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 3600 })
    const hasAccount = (await accountByEmail(sql, values.email)) !== null
    if (!tools.mail.isSetUp) return registerWithoutMail(sql, tools, values, { hasAccount })
    const row = known ? await registerAgain(sql, known, values) : await insertLead(sql, values)
    await writeTo(sql, tools, row, { hasAccount })
    // the row may be of another person: its content is for the holder of the link
    return answered(values)
  })
}

/** A number without a country is one of the platform's; of two readings the one at home. */
function fullNumber(written: string): string {
  return (
    wholeNumber(written, USUAL_COUNTRY) ??
    refuse('ERR_BAD_REQUEST', { field: 'whatsAppNumber', message: NO_NUMBER })
  )
}

const answered = (values: LeadValues) => shownLead({ ...values, completedAt: null } as LeadRow, null)

/** The wanted period; one that the plan is sold by, where none is named. */
async function periodOf(sql: Sql, { planId = null, recurrence }: LeadInput): Promise<Plan['recurrence']> {
  const plan = await findOffered(sql, planId)
  if (recurrence && !isSoldBy(plan, recurrence)) refuse('ERR_PLAN_UNPRICED', { field: 'recurrence' })
  return recurrence ?? soldBy(plan, USUAL_PERIOD)
}

const USUAL_PERIOD = 'months3'

type LeadValues = ReturnType<typeof valuesOf> & { couponId?: number | null }

const valuesOf = (input: Omit<LeadInput, 'website'>, network: string) => ({
  name: input.name,
  email: input.email,
  whatsAppNumber: input.whatsAppNumber,
  planId: input.planId ?? null,
  origin: input.origin || MY_STORE,
  recurrence: input.recurrence ?? USUAL_PERIOD,
  language: input.language ?? ('ptBR' as const),
  network,
  expiresAt: new Date(databaseNow() + LEAD_DAYS * DAY_MS).toISOString(),
})

/** The address cannot be verified: each request is a lead of its own, whose id is answered. */
async function registerWithoutMail(
  sql: Sql,
  { log, secrets }: Tools,
  values: LeadValues,
  { hasAccount }: { hasAccount: boolean },
): Promise<Lead> {
  if (hasAccount) refuse('ERR_EMAIL_EXISTS', { field: 'email' })
  const row = await insertLead(sql, values)
  log.info({ lead: row.id }, 'a lead came, and no mail is set up (SMTP_URL): it was answered its link')
  return shownLead(row, signedId(secrets.links, { purpose: 'lead', id: row.key }))
}

/** The link and the spelling of the address stay, and while the link is valid all the rest. */
const registerAgain = (sql: Sql, known: LeadRow, { email: _same, ...values }: LeadValues) =>
  updateLead(sql, known.id, isOpen(known) ? { expiresAt: values.expiresAt } : values)

const isOpen = ({ expiresAt }: LeadRow) => Date.parse(expiresAt) > databaseNow()

/** Sends an e-mail, unless this address has had enough of them today. */
async function writeTo(
  sql: Sql,
  { jobs }: Tools,
  lead: LeadRow,
  { hasAccount }: { hasAccount: boolean },
): Promise<void> {
  const isNewDay = Date.parse(lead.lettersSince) < databaseNow() - DAY_MS
  const written = isNewDay ? 0 : lead.letters
  if (written >= LETTERS_A_DAY) return
  const lettersSince = written === 0 ? databaseTime() : lead.lettersSince
  await updateLead(sql, lead.id, { letters: written + 1, lettersSince })
  const { key, email, language } = lead
  await jobs.enqueue(sql, NO_COMPANY, leadLetter, { key, email, language, hasAccount })
}
