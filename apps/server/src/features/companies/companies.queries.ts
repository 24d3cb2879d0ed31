import type { SessionCompany } from '@balcao/contract/companies.ts'
import type { Sql } from '../../platform/db.ts'
import { eq } from '../../platform/sql.ts'
import { companies, plans, settings } from './companies.table.ts'

/** The company as its users see it, with the flags of its plan. */
export async function sessionCompany(sql: Sql, companyId: number): Promise<SessionCompany | null> {
  const [row] = await sql
    .select({ company: companies, plan: plans })
    .from(companies)
    .leftJoin(plans, eq(plans.id, companies.planId))
    .where(eq(companies.id, companyId))
  if (!row) return null
  const { company, plan } = row
  return {
    id: company.id,
    companyName: company.companyName || company.name,
    slogan: company.slogan,
    logoUrl: company.logoUrl,
    enableCampaigns: company.enableCampaigns,
    enableBots: company.enableBots,
    enableFlows: company.enableFlows,
    plan: plan ? [plan] : [],
  }
}

/** Limits of the plan; null when the company has none. */
export async function limitsOf(sql: Sql, companyId: number) {
  const [row] = await sql
    .select({
      planId: companies.planId,
      users: companies.numberAttendants,
      connections: companies.numberConections,
    })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('update')
  return row?.planId ? row : null
}

export async function standardPlan(sql: Sql) {
  const [plan] = await sql.select().from(plans).where(eq(plans.isStandard, true))
  return plan ?? null
}

export async function setting(sql: Sql, key: string): Promise<string | null> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, key))
  return row?.value ?? null
}
