import { brl } from '@balcao/contract/plans.rules.ts'
import { couponCodeOf } from '@balcao/contract/pricing.rules.ts'
import type { Coupon } from '@balcao/contract/pricing.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { coupons } from '../subscriptions/subscriptions.terms.table.ts'

/** So many are listed. */
const MOST = 200

const columns = (zone: string) => tag`c.id, c.code, c.percent, c.value, c.periods, c.most_uses as "mostUses",
  to_char(c.ends_on, 'YYYY-MM-DD') as "endsOn", ${held} as uses,
  c.is_open and (c.most_uses is null or ${held} < c.most_uses)
    and coalesce(c.ends_on >= (now() at time zone ${zone})::date, true) as "isOpen"`

/** Companies that have it, and sign-ups that may still be completed with it. */
const held = tag`(c.uses + (select count(*)::int from leads l where l.coupon_id = c.id and l.completed_at is null
  and l.expires_at > now()))`

const shown = (row: Omit<Coupon, 'valueBrl'>): Coupon => ({
  ...row,
  valueBrl: row.value === null ? '' : brl(row.value),
})

export async function listCoupons(sql: Sql, zone: string): Promise<Coupon[]> {
  const rows = await rowsFrom<Coupon>(
    sql,
    tag`select ${columns(zone)} from coupons c order by c.id desc limit ${MOST}`,
  )
  return rows.map(shown)
}

/** Refuses with ERR_NOT_FOUND. */
export async function findCoupon(sql: Sql, couponId: number, zone: string): Promise<Coupon> {
  const [row] = await rowsFrom<Coupon>(
    sql,
    tag`select ${columns(zone)} from coupons c where c.id = ${couponId}`,
  )
  return row ? shown(row) : refuse('ERR_NOT_FOUND')
}

/** What a code gives. Refuses with ERR_COUPON_OVER. */
export async function offeredCoupon(sql: Sql, written: string, zone: string): Promise<Coupon> {
  const [row] = await rowsFrom<Coupon>(
    sql,
    tag`select ${columns(zone)} from coupons c where c.code = ${couponCodeOf(written)}`,
  )
  return row?.isOpen ? shown(row) : refuse('ERR_COUPON_OVER', { field: 'coupon' })
}

/** The same, locked until the commit, so that no more sign-ups hold it than may. */
export async function takeCoupon(sql: Sql, written: string, zone: string): Promise<Coupon> {
  await sql
    .select({ id: coupons.id })
    .from(coupons)
    .where(eq(coupons.code, couponCodeOf(written)))
    .for('update')
  return offeredCoupon(sql, written, zone)
}

export async function insertCoupon(sql: Sql, values: typeof coupons.$inferInsert): Promise<number> {
  const [row] = await sql.insert(coupons).values(values).returning({ id: coupons.id })
  return row!.id
}

export const closeCoupon = (sql: Sql, couponId: number) =>
  sql.update(coupons).set({ isOpen: false }).where(eq(coupons.id, couponId))

/** A company signed up with it. Answers what it gives. */
export async function countUse(sql: Sql, couponId: number) {
  const [row] = await sql
    .update(coupons)
    .set({ uses: tag`${coupons.uses} + 1` })
    .where(eq(coupons.id, couponId))
    .returning({
      ...{
        couponCode: coupons.code,
        percent: coupons.percent,
        value: coupons.value,
        periods: coupons.periods,
      },
    })
  return row!
}
