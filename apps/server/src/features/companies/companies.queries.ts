import type { OwnCompany, SessionCompany } from '@balcao/contract/companies.ts'
import { type CountryCode, isCountry, USUAL_COUNTRY } from '@balcao/contract/numbers.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, inArray, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies, plans } from './companies.table.ts'

export async function ownCompany(tx: Tx): Promise<OwnCompany> {
  const [row] = await tx.sql
    .select({ company: companies, plan: plans })
    .from(companies)
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(eq(companies.id, tx.companyId))
  return row ? { ...row.company, ...shownCompany(row.company, row.plan) } : refuse('ERR_NO_COMPANY_FOUND')
}

/** Whether admins still see messages that were deleted for everyone. */
export async function keepsDeleted(tx: Tx): Promise<boolean> {
  const [row] = await tx.sql
    .select({ keeps: companies.keepsDeleted })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row?.keeps ?? false
}

/** Whether what is read on the phone counts as read here. */
export async function readsOnPhone(tx: Tx): Promise<boolean> {
  const [row] = await tx.sql
    .select({ reads: companies.readsOnPhone })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row?.reads ?? true
}

/** Whether notifications on devices show what was written. */
export async function pushShowsTexts(tx: Tx): Promise<boolean> {
  const [row] = await tx.sql
    .select({ shows: companies.pushShowsTexts })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row?.shows ?? false
}

/** The country in which numbers without one are read. */
export const phoneCountryOf = (tx: Tx): Promise<CountryCode> => phoneCountryIn(tx.sql, tx.companyId)

export async function phoneCountryIn(sql: Sql, companyId: number): Promise<CountryCode> {
  const [row] = await sql
    .select({ country: companies.phoneCountry })
    .from(companies)
    .where(eq(companies.id, companyId))
  return countryIn(row?.country)
}

/** The country that the column of a company names. */
export const countryIn = (stored: string | null | undefined): CountryCode =>
  stored && isCountry(stored) ? stored : USUAL_COUNTRY

/** What the company decided about thanks after a closing, and about messages outside its hours. */
export async function replyRulesOf(tx: Tx) {
  const { thanksMinutes, reopensOnThanks, outOfHoursEvery } = companies
  const [row] = await tx.sql
    .select({ thanksMinutes, reopensOnThanks, outOfHoursEvery })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

type Plan = typeof plans.$inferSelect

/** The company as its users see it, with the flags of its plan. */
export const shownCompany = (company: typeof companies.$inferSelect, plan: Plan | null): SessionCompany => ({
  id: company.id,
  // the name that the company chose, before the one in the register
  companyName: company.name || company.companyName,
  slogan: company.slogan,
  timeZone: company.timeZone,
  phoneCountry: company.phoneCountry ?? USUAL_COUNTRY,
  logoUrl: company.logoUrl,
  enableReports: company.enableReports,
  enableDashboard: company.enableDashboard,
  enableCampaigns: company.enableCampaigns,
  enableSchedules: company.enableSchedules,
  enableBots: company.enableBots,
  enableFlows: company.enableFlows,
  suspended: company.suspendedAt !== null,
  servicePause:
    company.pauseReason === null ? null : { until: company.pauseUntil, reason: company.pauseReason },
  payBy: company.payBy,
  limitsBy: company.limitsBy,
  termsDue: company.termsDue,
  plan: plan ? [plan] : [],
})

/** Limits of the plan, locked; null when the company has none. */
export async function limitsOf(sql: Sql, companyId: number) {
  const [row] = await sql
    .select({
      hasPlan: tag<boolean>`exists (select from plans own where own.company_id = companies.id)`,
      users: companies.numberAttendants,
      connections: companies.numberConections,
    })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('update')
  return row?.hasPlan ? row : null
}

export async function standardPlan(sql: Sql) {
  const [plan] = await sql.select().from(plans).where(eq(plans.isStandard, true))
  return plan ?? null
}

/**
 * The time zone of a company: its own, or the server's. Only the database computes with it: another engine may know other
 * rules of the same zone.
 */
export const zoneOf = (tx: Pick<Tx, 'companyId' | 'timeZone'>): SQL =>
  tag`coalesce((select own.time_zone from companies own where own.id = ${tx.companyId}), ${tx.timeZone})`

/** The day by the company's clock. */
export async function dayThere(tx: Tx, now: Date): Promise<string> {
  const [row] = await rowsFrom<{ day: string }>(
    tx.sql,
    tag`select to_char(${now.toISOString()}::timestamptz at time zone ${zoneOf(tx)}, 'YYYY-MM-DD') as day`,
  )
  return row!.day
}

/**
 * The hour of the day by the company's clock, and when each hour begins from this one on, 24 of them, also on days of 23 and of
 * 25 hours.
 */
export async function hoursThere(tx: Tx, now: Date): Promise<{ hour: number; begins: string[] }> {
  const [row] = await rowsFrom<{ hour: number; begins: number[] }>(
    tx.sql,
    tag`select extract(hour from here)::int as hour, array(
        select extract(epoch from (date_trunc('hour', here) + later * interval '1 hour') at time zone zone)::float8
        from generate_series(0, 23) later order by later) as begins
      from (select ${zoneOf(tx)} as zone) own, lateral (select ${now.toISOString()}::timestamptz at time zone zone as here) clock`,
  )
  const { hour, begins } = row!
  return { hour, begins: begins.map(at => new Date(at * 1_000).toISOString()) }
}

/** The first and the last instant of a filter: a local day, a local time, or a time with a zone. */
export const startOf = (tx: Tx, time: string): SQL =>
  isZoned(time) ? tag`${time}::timestamptz` : tag`(${time}::timestamp at time zone ${zoneOf(tx)})`

export const endOf = (tx: Tx, time: string): SQL =>
  isDay(time)
    ? tag`((${time}::date + 1)::timestamp at time zone ${zoneOf(tx)} - interval '1 microsecond')`
    : startOf(tx, time)

/** The first instant, in UTC. */
export async function instantOf(tx: Tx, time: string): Promise<string> {
  const at = tag<string>`to_char(${startOf(tx, time)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const [row] = await tx.sql.select({ at }).from(companies).where(eq(companies.id, tx.companyId))
  return row!.at
}

/** The local date and time of a company, in Portuguese format. */
export async function clockOf(tx: Tx): Promise<{ day: string; time: string }> {
  const now = tag`now() at time zone ${zoneOf(tx)}`
  const [row] = await tx.sql
    .select({
      day: tag<string>`to_char(${now}, 'DD/MM/YYYY')`,
      time: tag<string>`to_char(${now}, 'HH24:MI')`,
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

export async function knowsZone(tx: Tx, zone: string): Promise<boolean> {
  const rows = await rowsFrom<unknown>(tx.sql, tag`select 1 from pg_timezone_names where name = ${zone}`)
  return rows.length > 0
}

const isDay = (time: string) => time.length === 10
const isZoned = (time: string) => !isDay(time) && /(Z|[+-]\d\d:?\d\d)$/.test(time)

/** Whether the company's plan includes AI models (MENU-009); false without a plan. */
export async function modelsAreOn(tx: Tx): Promise<boolean> {
  const [row] = await tx.sql
    .select({ isOn: plans.iaIntegrationEnabled })
    .from(companies)
    .innerJoin(plans, eq(plans.companyId, companies.id))
    .where(eq(companies.id, tx.companyId))
  return row?.isOn ?? false
}

type Switch =
  | 'enableReports'
  | 'enableDashboard'
  | 'enableCampaigns'
  | 'enableSchedules'
  | 'enableBots'
  | 'enableFlows'

/** Whether the company has this feature (OP-25: the plan's flags are copied to it). */
export async function isSwitchedOn(tx: Tx, what: Switch): Promise<boolean> {
  const [row] = await tx.sql
    .select({ isOn: companies[what] })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.isOn
}

/** Refuses with ERR_NOT_IN_PLAN where the company does not have this feature. */
export async function askPlan(tx: Tx, what: Switch): Promise<void> {
  if (!(await isSwitchedOn(tx, what))) refuse('ERR_NOT_IN_PLAN')
}

/** Whether the company has campaigns, and how many recipients an hour; null for no limit (OP-90). */
export async function campaignPlan(tx: Tx): Promise<{ isInPlan: boolean; most: number | null }> {
  const [row] = await tx.sql
    .select({ isInPlan: companies.enableCampaigns, most: plans.campaignSendLimitPerHour })
    .from(companies)
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(eq(companies.id, tx.companyId))
  return { isInPlan: row!.isInPlan, most: row!.most || null }
}

export async function logoOf(tx: Tx): Promise<string[]> {
  const rows = await tx.sql
    .select({ logoUrl: companies.logoUrl })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return rows.map(({ logoUrl }) => logoUrl)
}

export type NewCompany = Pick<typeof companies.$inferInsert, 'name' | 'email'> &
  Partial<typeof companies.$inferInsert>

export async function insertCompany(sql: Sql, fields: NewCompany): Promise<number> {
  const values = { termsDue: hasTerms, ...fields, companyName: fields.companyName || fields.name }
  const [company] = await sql.insert(companies).values(values).returning({ id: companies.id })
  return company!.id
}

/** Whether the operator has terms, which a company accepts that is made without them. */
const hasTerms = tag<boolean>`coalesce((select withdrawn_at is null from terms_versions order by id desc limit 1), false)`

export const updateCompany = (tx: Tx, fields: Partial<typeof companies.$inferInsert>) =>
  tx.sql.update(companies).set(fields).where(eq(companies.id, tx.companyId))

export async function lockLogoAndZone(tx: Tx): Promise<{ logoUrl: string; timeZone: string | null }> {
  const [row] = await tx.sql
    .select({ logoUrl: companies.logoUrl, timeZone: companies.timeZone })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
    .for('update')
  return row!
}

/** The next ticket protocols of a company: the local date and a unique running number (OP-68). */
export async function nextProtocols(tx: Tx, many: number): Promise<string[]> {
  const [row] = await tx.sql
    .update(companies)
    .set({ lastProtocol: tag`${companies.lastProtocol} + ${many}` })
    .where(eq(companies.id, tx.companyId))
    .returning({
      number: companies.lastProtocol,
      day: tag<string>`to_char(now() at time zone ${zoneOf(tx)}, 'YYYYMMDD')`,
    })
  const { day, number } = row!
  return Array.from({ length: many }, (_, at) => `${day}${String(number - many + 1 + at).padStart(4, '0')}`)
}

/** Has the trigger fold the words of some companies; false where none is left. */
export async function foldSomeCompanies(sql: Sql): Promise<boolean> {
  const folded = await sql
    .update(companies)
    .set({ name: tag`${companies.name}` })
    .where(
      inArray(
        companies.id,
        sql
          .select({ id: companies.id })
          .from(companies)
          .where(eq(companies.words, ''))
          .limit(FOLDED_AT_ONCE)
          .for('no key update', { skipLocked: true }),
      ),
    )
    .returning({ id: companies.id })
  return folded.length > 0
}

const FOLDED_AT_ONCE = 2_000
