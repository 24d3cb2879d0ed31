import { LEAD_COMPLETED, LEAD_WAITING, type Lead } from '@balcao/contract/leads.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, gt, isNull, sql as tag } from '../../platform/postgres/sql.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { leads } from './leads.table.ts'

export type LeadRow = typeof leads.$inferSelect

/** A lead as it is answered, under the given id. */
export const shownLead = (row: LeadRow, id: string | null): Lead => ({
  id,
  name: row.name,
  email: row.email,
  whatsAppNumber: row.whatsAppNumber,
  planId: row.planId,
  origin: row.origin,
  status: row.completedAt === null ? LEAD_WAITING : LEAD_COMPLETED,
  recurrence: row.recurrence,
})

/**
 * The lead that a link names and that waits to be completed, locked where it is to be. Refuses with ERR_NO_LEAD_FOUND,
 * also what is over, and with ERR_LEAD_COMPLETED.
 */
export async function findOpenLead(
  sql: Sql,
  key: string | null,
  { lock }: { lock: boolean },
): Promise<LeadRow> {
  if (key === null) return refuse('ERR_NO_LEAD_FOUND')
  const named = sql.select().from(leads).where(eq(leads.key, key))
  const [row] = await (lock ? named.for('update') : named)
  if (!row) return refuse('ERR_NO_LEAD_FOUND')
  if (row.completedAt !== null) return refuse('ERR_LEAD_COMPLETED')
  return Date.parse(row.expiresAt) > databaseNow() ? row : refuse('ERR_NO_LEAD_FOUND')
}

/** The lead of this address that is not completed, if there is one; an advisory lock until the end of the transaction prevents another. */
export async function lockLeadOf(sql: Sql, email: string): Promise<LeadRow | null> {
  await sql.execute(tag`select pg_advisory_xact_lock(hashtextextended(${`lead ${email.toLowerCase()}`}, 0))`)
  const [row] = await sql
    .select()
    .from(leads)
    .where(and(eq(tag`lower(${leads.email})`, email.toLowerCase()), isNull(leads.completedAt)))
    .orderBy(desc(leads.id))
    .limit(1)
    .for('update')
  return row ?? null
}

/** How many leads came within the last hour, in all and from a network. */
export async function countRecentLeads(sql: Sql, network: string): Promise<{ all: number; near: number }> {
  const [row] = await sql
    .select({
      all: tag<number>`count(*)::int`,
      near: tag<number>`(count(*) filter (where ${leads.network} = ${network}))::int`,
    })
    .from(leads)
    .where(gt(leads.createdAt, tag`now() - interval '1 hour'`))
  return row!
}

/** A plan that is offered; null for the standard one. Refuses with ERR_NO_PLAN_FOUND. */
export async function findOffered(sql: Sql, planId: number | null): Promise<PlanRow> {
  const which = planId === null ? eq(plans.isStandard, true) : eq(plans.id, planId)
  const [row] = await sql
    .select()
    .from(plans)
    .where(and(which, isNull(plans.companyId), eq(plans.status, true)))
  return row ?? refuse('ERR_NO_PLAN_FOUND', { field: 'planId' })
}

/** What this lead asked for, also where that is no longer offered; null where it is gone. */
export async function planOf(sql: Sql, { planId }: LeadRow): Promise<PlanRow | null> {
  const [row] = await sql
    .select()
    .from(plans)
    .where(planId === null ? and(eq(plans.isStandard, true), eq(plans.status, true)) : eq(plans.id, planId))
  return row ?? null
}

/** Leads that never completed are deleted after 90 days, unless they asked again and their link is valid. */
export const dropOldLeads = (sql: Sql) =>
  sql
    .delete(leads)
    .where(
      and(
        isNull(leads.completedAt),
        tag`${leads.createdAt} < now() - interval '90 days' and ${leads.expiresAt} < now()`,
      ),
    )

export async function insertLead(
  sql: Sql,
  values: Omit<typeof leads.$inferInsert, 'id' | 'key'>,
): Promise<LeadRow> {
  const [row] = await sql.insert(leads).values(values).returning()
  return row!
}

export async function updateLead(sql: Sql, id: number, values: Partial<LeadRow>): Promise<LeadRow> {
  const [row] = await sql.update(leads).set(values).where(eq(leads.id, id)).returning()
  return row!
}

export async function foundedAt(sql: Sql, companyId: number): Promise<string> {
  const [company] = await sql
    .select({ createdAt: companies.createdAt })
    .from(companies)
    .where(eq(companies.id, companyId))
  return company!.createdAt
}
