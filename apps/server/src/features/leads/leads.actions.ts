import { LEAD_DAYS, type Lead, type LeadInput, MY_STORE } from '@balcao/contract/leads.ts'
import type { Platform } from '../../platform/app.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import { networkOf } from '../../platform/http.limits.ts'
import { NO_COMPANY } from '../../platform/jobs.ts'
import { signedId } from '../../platform/links.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { eq } from '../../platform/sql.ts'
import { accountByEmail } from '../auth/auth.queries.ts'
import { signUpIsOpen } from '../companies/companies.queries.ts'
import { leadLetter } from './leads.jobs.ts'
import { countRecentLeads, type LeadRow, lockLeadOf, refuseUnoffered, shownLead } from './leads.queries.ts'
import { leads } from './leads.table.ts'

/** Many sit behind one address; more than these an hour are no people, and those of all networks together no market. */
const LEADS_OF_A_NETWORK = 30
const LEADS_AN_HOUR = 300
/** However often it is asked for: a mailbox is not filled by strangers. */
const LETTERS_A_DAY = 3
const DAY_MS = 86_400_000

type Tools = Pick<Platform, 'mail' | 'jobs' | 'secrets' | 'log'>

/**
 * Takes somebody who asks for a plan, and sends the link to his address; the same answer whoever has it. Where no mail
 * is set up the answer names the lead. Refuses with ERR_USER_CREATION_DISABLED, ERR_NO_PLAN_FOUND,
 * ERR_TOO_MANY_REQUESTS, and without mail with ERR_EMAIL_EXISTS.
 */
export async function takeLead(
  platform: PlatformScope,
  tools: Tools,
  { website, ...input }: LeadInput,
  ip: string,
): Promise<Lead> {
  const values = valuesOf(input, networkOf(ip))
  // who fills in what nobody sees is told what a person would be told
  if (website) {
    tools.log.info('a lead was filled in by a program')
    return shownLead({ ...values, completedAt: null } as LeadRow, null)
  }
  return platform.transaction(async sql => {
    if (!(await signUpIsOpen(sql))) refuse('ERR_USER_CREATION_DISABLED')
    if (values.planId !== null) await refuseUnoffered(sql, values.planId)
    const known = await lockLeadOf(sql, values.email)
    const recent = await countRecentLeads(sql, values.network)
    if (recent.near >= LEADS_OF_A_NETWORK || recent.all >= LEADS_AN_HOUR)
      refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 3600 })
    const hasAccount = (await accountByEmail(sql, values.email)) !== null
    if (!tools.mail.isSetUp) return takeWithoutMail(sql, tools, values, hasAccount)
    const row = known ? await takeAgain(sql, known, values) : await insertLead(sql, values)
    await writeTo(sql, tools, row, hasAccount)
    return shownLead(row, null)
  })
}

type LeadValues = ReturnType<typeof valuesOf>

const valuesOf = (input: Omit<LeadInput, 'website'>, network: string) => ({
  name: input.name,
  email: input.email,
  whatsAppNumber: input.whatsAppNumber,
  planId: input.planId ?? null,
  origin: input.origin || MY_STORE,
  recurrence: input.recurrence ?? ('months3' as const),
  language: input.language ?? ('ptBR' as const),
  network,
  expiresAt: new Date(Date.now() + LEAD_DAYS * DAY_MS).toISOString(),
})

/** Nobody can show that he has the address: each asking is a lead of its own, whose id is answered. */
async function takeWithoutMail(
  sql: Sql,
  { log, secrets }: Tools,
  values: LeadValues,
  hasAccount: boolean,
): Promise<Lead> {
  if (hasAccount) refuse('ERR_EMAIL_EXISTS', { field: 'email' })
  const row = await insertLead(sql, values)
  log.info({ lead: row.id }, 'a lead came, and no mail is set up (SMTP_URL): it was answered its link')
  return shownLead(row, signedId(secrets.links, { purpose: 'lead', id: row.key }))
}

async function insertLead(sql: Sql, values: LeadValues): Promise<LeadRow> {
  const [row] = await sql.insert(leads).values(values).returning()
  return row!
}

/** What was asked for last counts; its link is the one that it had, and its address as it was first written. */
async function takeAgain(
  sql: Sql,
  { id }: LeadRow,
  { email: _same, ...values }: LeadValues,
): Promise<LeadRow> {
  const [row] = await sql.update(leads).set(values).where(eq(leads.id, id)).returning()
  return row!
}

/** A letter, as far as this address has not had enough of them today. */
async function writeTo(sql: Sql, { jobs }: Tools, lead: LeadRow, hasAccount: boolean): Promise<void> {
  const isNewDay = Date.parse(lead.lettersSince) < Date.now() - DAY_MS
  const written = isNewDay ? 0 : lead.letters
  if (written >= LETTERS_A_DAY) return
  const lettersSince = written === 0 ? new Date().toISOString() : lead.lettersSince
  await sql
    .update(leads)
    .set({ letters: written + 1, lettersSince })
    .where(eq(leads.id, lead.id))
  const { key, email, language } = lead
  await jobs.enqueue(sql, NO_COMPANY, leadLetter, { key, email, language, hasAccount })
}
