import type { Sql } from '../../platform/db.ts'
import { eq } from '../../platform/sql.ts'
import { companies, plans } from './companies.table.ts'

export type PlanRow = typeof plans.$inferSelect

/**
 * Gives a company a plan of its own with these values, which its limits and switches follow. A second one breaks the
 * key `plans_of_company`, however many ask at once.
 */
export async function copyPlan(sql: Sql, companyId: number, plan: PlanRow): Promise<PlanRow> {
  const { id: _its, ...values } = plan
  const own = { ...values, companyId, isStandard: false, highlighted: 0 as const }
  const [row] = await sql.insert(plans).values(own).returning()
  await followPlan(sql, row!)
  return row!
}

/** A company's limits and switches are those of its plan (OP-25, OP-26); of a plan of the platform nothing follows. */
export async function followPlan(sql: Sql, plan: PlanRow): Promise<void> {
  if (plan.companyId === null) return
  await sql
    .update(companies)
    .set({
      numberAttendants: plan.numberAttendants,
      numberConections: plan.numberConnections,
      enableReports: plan.enableReports,
      enableDashboard: plan.enableDashboard,
      enableCampaigns: plan.enableCampaigns,
      enableSchedules: plan.enableSchedules,
      enableBots: plan.enableBots,
      enableFlows: plan.enableFlows,
    })
    .where(eq(companies.id, plan.companyId))
}
