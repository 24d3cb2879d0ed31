import type { OpenDiscount } from '@balcao/contract/pricing.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, isNull, lte, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import { readjustments } from './subscriptions.terms.table.ts'

/** What changes the price of the next periods of a company, as columns of a statement. */
export const termsOf = (companyId: SQL) => ({
  /** The oldest first. */
  discounts: tag<OpenDiscount[]>`coalesce((select json_agg(json_build_object('id', d.id, 'percent', d.percent,
      'value', d.value, 'left', d.periods - ${usedPeriods}) order by d.id)
    from discounts d where d.company_id = ${companyId} and d.ended_at is null), '[]')`,
  readjustment: tag<{
    rate: number
    from: string
  } | null>`(select json_build_object('rate', r.rate, 'from', r.from_day)
    from readjustments r where r.company_id = ${companyId} and r.applied_at is null)`,
})

/** Periods that a discount `d` reduced: one that was cancelled, or released before it began, may be billed again. */
export const usedPeriods = tag`(select count(*)::int from invoices i where i.company_id = d.company_id and i.discount_id = d.id
  and (i.cancelled_at is null or i.cancel_reason = 'carried') and coalesce(i.released_from > i.start_invoice_period, true))`

const isWaiting = (companyId: number) =>
  and(eq(readjustments.companyId, companyId), isNull(readjustments.appliedAt))

/** The readjustment that waits for its day, or is to be applied. */
export async function waitingReadjustment(
  sql: Sql,
  companyId: number,
): Promise<typeof readjustments.$inferSelect | null> {
  const [row] = await sql.select().from(readjustments).where(isWaiting(companyId))
  return row ?? null
}

export const dropReadjustment = (sql: Sql, companyId: number) =>
  sql.delete(readjustments).where(isWaiting(companyId))

/** Marks the readjustment whose day has come as applied; answers its rate. Null where none has come. */
export async function applyReadjustment(sql: Sql, companyId: number, today: string): Promise<number | null> {
  const [row] = await sql
    .update(readjustments)
    .set({ appliedAt: databaseTime() })
    .where(and(isWaiting(companyId), lte(readjustments.fromDay, today)))
    .returning({ rate: readjustments.rate })
  return row?.rate ?? null
}
