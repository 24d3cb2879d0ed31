import type { PageQuery } from '@balcao/contract/kit.ts'
import { shownPrices } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { refuse } from '../../platform/errors.ts'
import { containing, firstIn, onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, isNull, sql as tag } from '../../platform/postgres/sql.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'

/** One page of what the platform sells, by name. */
export async function listPlans(sql: Sql, asked: PageQuery) {
  const found = sql
    .select()
    .from(plans)
    .where(and(isNull(plans.companyId), containing(asked.searchParam, plans.name, plans.slogan)))
    .orderBy(firstIn(plans.name, asked.searchParam), tag`folded(${plans.name})`, plans.id)
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  return { plans: rows.map(shownPlan), hasMore }
}

/** The public offer, the cheapest first. */
export async function offeredPlans(sql: Sql): Promise<Plan[]> {
  const rows = await sql
    .select()
    .from(plans)
    .where(and(isNull(plans.companyId), eq(plans.status, true)))
    .orderBy(plans.value1Month, plans.id)
    .limit(MOST_OFFERED)
  return rows.map(shownPlan)
}

const MOST_OFFERED = 100

/** The row, locked. Refuses with ERR_NO_PLAN_FOUND. */
export async function lockPlan(sql: Sql, planId: number): Promise<PlanRow> {
  const [row] = await sql.select().from(plans).where(eq(plans.id, planId)).for('update')
  return row ?? refuse('ERR_NO_PLAN_FOUND')
}

/** Refuses with ERR_NO_PLAN_FOUND. */
export async function findPlan(sql: Sql, planId: number): Promise<PlanRow> {
  const [row] = await sql.select().from(plans).where(eq(plans.id, planId))
  return row ?? refuse('ERR_NO_PLAN_FOUND')
}

/** The plan of a company, if it has one. */
export async function plansOfCompany(sql: Sql, companyId: number): Promise<Plan[]> {
  const rows = await sql.select().from(plans).where(eq(plans.companyId, companyId))
  return rows.map(shownPlan)
}

/** Locks the company's row; rows that refer to it can still be written. Refuses with ERR_NO_COMPANY_FOUND. */
export async function holdClient(sql: Sql, companyId: number): Promise<void> {
  const [row] = await sql
    .select({ id: companies.id })
    .from(companies)
    .where(and(eq(companies.id, companyId), isNull(companies.leavingAt)))
    .for('no key update')
  if (!row) refuse('ERR_NO_COMPANY_FOUND')
}

/** A plan with its prices written out. */
export const shownPlan = (row: PlanRow): Plan => ({ ...row, ...shownPrices(row) })

export async function insertPlan(sql: Sql, values: typeof plans.$inferInsert): Promise<PlanRow> {
  const [row] = await sql.insert(plans).values(values).returning()
  return row!
}

export async function updatePlan(sql: Sql, planId: number, values: Partial<PlanRow>): Promise<PlanRow> {
  const [row] = await sql.update(plans).set(values).where(eq(plans.id, planId)).returning()
  return row!
}

export const deletePlan = (sql: Sql, planId: number) => sql.delete(plans).where(eq(plans.id, planId))

/** After this no plan is the standard one. */
export const withdrawStandard = (sql: Sql) =>
  sql.update(plans).set({ isStandard: false }).where(eq(plans.isStandard, true))
