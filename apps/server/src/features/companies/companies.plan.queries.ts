import { soldBy } from '@balcao/contract/plans.rules.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq } from '../../platform/postgres/sql.ts'
import { companies, plans } from './companies.table.ts'

export type PlanRow = typeof plans.$inferSelect

/**
 * Inserts a company's own copy of a plan, and sets its limits and flags. A second one violates the unique index
 * `plans_of_company`. A period without a price becomes one that has one.
 */
export async function copyPlan(sql: Sql, companyId: number, plan: PlanRow): Promise<PlanRow> {
  const { id: _id, ...values } = plan
  const recurrence = soldBy(plan, plan.recurrence)
  const own = { ...values, recurrence, companyId, isStandard: false, highlighted: 0 as const }
  const [row] = await sql.insert(plans).values(own).returning()
  await followPlan(sql, row!)
  return row!
}

/** Copies limits and flags of a plan to its company (OP-25, OP-26); nothing for a plan of the platform. */
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
