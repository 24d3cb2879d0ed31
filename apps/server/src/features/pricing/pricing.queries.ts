import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Discount, Readjustment } from '@balcao/contract/pricing.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, desc, eq, isNull, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { usedPeriods } from '../subscriptions/subscriptions.terms.queries.ts'
import { discounts, readjustments } from '../subscriptions/subscriptions.terms.table.ts'

/** So many of each are shown. */
const MOST = 100

export async function discountsOf(tx: Tx): Promise<Discount[]> {
  const rows = await rowsFrom<Omit<Discount, 'valueBrl' | 'isOpen'> & { isEnded: boolean }>(
    tx.sql,
    tag`select d.id, d.percent, d.value, d.periods, ${usedPeriods} as used, d.reason, d.recorded_by as "recordedBy",
        d.coupon_code as "couponCode", d.ended_at is not null as "isEnded"
      from discounts d
      where d.company_id = ${tx.companyId} order by d.id desc limit ${MOST}`,
  )
  return rows.map(({ isEnded, ...row }) => ({
    ...row,
    valueBrl: row.value === null ? '' : brl(row.value),
    isOpen: !isEnded && row.used < row.periods,
  }))
}

export async function readjustmentsOf(tx: Tx): Promise<Readjustment[]> {
  const rows = await tx.sql
    .select()
    .from(readjustments)
    .where(eq(readjustments.companyId, tx.companyId))
    .orderBy(desc(readjustments.id))
    .limit(MOST)
  return rows.map(({ id, rate, fromDay: from, reason, recordedBy, appliedAt }) => ({
    ...{ id, rate, from, reason, recordedBy },
    isApplied: appliedAt !== null,
  }))
}

export const insertDiscount = (sql: Sql, values: Omit<typeof discounts.$inferInsert, 'id'>) =>
  sql.insert(discounts).values(values)

/** False where there is none that goes on. */
export async function endDiscount(tx: Tx, discountId: number, endedAt: string): Promise<boolean> {
  const rows = await tx.sql
    .update(discounts)
    .set({ endedAt })
    .where(
      and(eq(discounts.companyId, tx.companyId), eq(discounts.id, discountId), isNull(discounts.endedAt)),
    )
    .returning({ id: discounts.id })
  return rows.length > 0
}

export async function insertReadjustment(
  tx: Tx,
  values: Omit<typeof readjustments.$inferInsert, 'companyId' | 'id'>,
): Promise<number> {
  const [row] = await tx.sql
    .insert(readjustments)
    .values({ ...values, companyId: tx.companyId })
    .returning({ id: readjustments.id })
  return row!.id
}

/** Companies whose readjustment has come, by a day that has begun anywhere on earth. */
export async function readjustmentsDue(sql: Sql, now: Date): Promise<number[]> {
  const latest = daysFrom(now.toISOString().slice(0, 10), 1)
  const rows = await sql
    .select({ id: readjustments.companyId })
    .from(readjustments)
    .where(and(isNull(readjustments.appliedAt), tag`${readjustments.fromDay} <= ${latest}::date`))
    .orderBy(readjustments.companyId)
  return rows.map(({ id }) => id)
}
