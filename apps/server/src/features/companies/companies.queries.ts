import type { OwnCompany, SessionCompany } from '@balcao/contract/companies.ts'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { eq, rowsFrom, type SQL, sql as tag } from '../../platform/sql.ts'
import { companies, plans, settings } from './companies.table.ts'

/** The company with what only those see who administrate it. Refuses with ERR_NO_COMPANY_FOUND. */
export async function ownCompany(tx: Tx): Promise<OwnCompany> {
  const [row] = await tx.sql
    .select({ company: companies, plan: plans })
    .from(companies)
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(eq(companies.id, tx.companyId))
  return row ? { ...row.company, ...shownCompany(row.company, row.plan) } : refuse('ERR_NO_COMPANY_FOUND')
}

type Plan = typeof plans.$inferSelect

/** The company as its users see it, with the flags of its plan. */
export const shownCompany = (company: typeof companies.$inferSelect, plan: Plan | null): SessionCompany => ({
  id: company.id,
  companyName: company.companyName || company.name,
  slogan: company.slogan,
  timeZone: company.timeZone,
  logoUrl: company.logoUrl,
  enableReports: company.enableReports,
  enableDashboard: company.enableDashboard,
  enableCampaigns: company.enableCampaigns,
  enableSchedules: company.enableSchedules,
  enableBots: company.enableBots,
  enableFlows: company.enableFlows,
  suspended: company.suspendedAt !== null,
  payBy: company.payBy,
  plan: plan ? [plan] : [],
})

/** Limits of the plan; null when the company has none. */
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

/** Whether strangers may found companies (OP-44); nobody said: they may. */
export async function signUpIsOpen(sql: Sql): Promise<boolean> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, 'userCreation'))
  return row?.value !== 'disabled'
}

/**
 * The zone in which a company reads its clock: its own, or the installation's. The database reckons with it and nothing
 * else does: two engines know different rules for the same zone.
 */
export const zoneOf = (tx: Tx): SQL =>
  tag`coalesce((select own.time_zone from companies own where own.id = ${tx.companyId}), ${tx.timeZone})`

/** The first and the last instant of what a filter means there: a day, a time of its clock, or a moment anywhere. */
export const startOf = (tx: Tx, moment: string): SQL =>
  isZoned(moment) ? tag`${moment}::timestamptz` : tag`(${moment}::timestamp at time zone ${zoneOf(tx)})`

export const endOf = (tx: Tx, moment: string): SQL =>
  isDay(moment)
    ? tag`((${moment}::date + 1)::timestamp at time zone ${zoneOf(tx)} - interval '1 microsecond')`
    : startOf(tx, moment)

/** The same for one moment, in UTC. */
export async function instantOf(tx: Tx, moment: string): Promise<string> {
  const at = tag<string>`to_char(${startOf(tx, moment)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const [row] = await tx.sql.select({ at }).from(companies).where(eq(companies.id, tx.companyId))
  return row!.at
}

/** What the company's clock shows now, as Portuguese writes it. */
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

/** True when the database reckons with this zone too. */
export async function knowsZone(tx: Tx, zone: string): Promise<boolean> {
  const rows = await rowsFrom<unknown>(tx.sql, tag`select 1 from pg_timezone_names where name = ${zone}`)
  return rows.length > 0
}

const isDay = (moment: string) => moment.length === 10
const isZoned = (moment: string) => !isDay(moment) && /(Z|[+-]\d\d:?\d\d)$/.test(moment)

/** Whether the company's plan has models that answer (MENU-009); a company without a plan has not. */
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

/** Whether the company has this (OP-25: the plan's flags are copied to it). */
export async function isSwitchedOn(tx: Tx, what: Switch): Promise<boolean> {
  const [row] = await tx.sql
    .select({ isOn: companies[what] })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.isOn
}

/** Refuses with ERR_NOT_IN_PLAN where the company does not have this. */
export async function askPlan(tx: Tx, what: Switch): Promise<void> {
  if (!(await isSwitchedOn(tx, what))) refuse('ERR_NOT_IN_PLAN')
}

/** Whether the company has campaigns, and how many people they may write to within any hour; null for no limit (OP-90). */
export async function campaignPlan(tx: Tx): Promise<{ isInPlan: boolean; most: number | null }> {
  const [row] = await tx.sql
    .select({ isInPlan: companies.enableCampaigns, most: plans.campaignSendLimitPerHour })
    .from(companies)
    .leftJoin(plans, eq(plans.companyId, companies.id))
    .where(eq(companies.id, tx.companyId))
  return { isInPlan: row!.isInPlan, most: row!.most || null }
}
