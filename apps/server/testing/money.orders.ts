import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { expect } from 'vitest'
import { LEAST_ORDER, ordersDue } from '../src/features/billing/billing.orders.queries.ts'
import { settleOrder } from '../src/features/billing/billing.orders.worker.ts'
import { sql as tag } from '../src/platform/postgres/sql.ts'
import type { PlatformScope } from '../src/platform/scope.ts'
import { isDeath } from './ledger.ts'
import { type Life, type MoneyScene, momentOf, type Price, planNow, read, writing } from './money.scene.ts'
import { ZONE } from './money.zone.ts'

interface FoundOrder {
  /** Null: it is paid. */
  invoiceId: number | null
  lapsed: number | null
  /** Cents that its invoice still asks for. */
  owed: number
  due: string
}

const orderOf = async ({ app }: MoneyScene, { companyId }: Life): Promise<FoundOrder | null> =>
  (
    await read<FoundOrder>(
      app.platform.scopes.platform(),
      tag`select o.invoice_id as "invoiceId", o.lapsed_value as lapsed, coalesce(i.value - i.paid_value, 0)::int as owed,
          to_char(i.due_date, 'YYYY-MM-DD') as due
        from plan_orders o left join invoices i on i.company_id = o.company_id and i.id = o.invoice_id
        where o.company_id = ${companyId}`,
    )
  )[0] ?? null

export const isSameOrder = (one: Omit<Price, 'from'>, other: Omit<Price, 'from'>) =>
  one.cents === other.cents && one.months === other.months

/** The order of a company after a change was asked for, as it was promised then; the same one, asked for again, is as it was. */
export async function noteOrder(
  scene: MoneyScene,
  life: Life,
  asked: { to: number; price: Omit<Price, 'from'> } | null,
): Promise<void> {
  const order = await orderOf(scene, life)
  if (order === null) life.order = null
  else if (asked && order.invoiceId !== null && order.invoiceId !== life.order?.invoiceId)
    life.order = { ...asked, invoiceId: order.invoiceId }
}

/** Days after which a paid order does not change the plan any more. */
const DAYS_LATE = 10

/** Does what is due of the order of a company: it changes the plan where it is paid, and not before, to what was promised. */
export async function settleOrdersOfLife(
  scene: MoneyScene,
  life: Life,
  platform: PlatformScope,
): Promise<void> {
  const now = tag`${momentOf(life.today).toISOString()}::timestamptz`
  const due = await scene.app.platform.scopes
    .platform()
    .transaction(sql => ordersDue(sql, ZONE, 100_000, { now }))
  if (!due.some(({ companyId }) => companyId === life.companyId)) return
  const before = (await orderOf(scene, life))!
  const { price: known } = await planNow(scene, life)
  const death = await settleOrder(platform, writing(life), life.companyId).then(
    () => null,
    error => (isDeath(error) ? error : Promise.reject(error)),
  )
  const { price } = await planNow(scene, life)
  const { order } = life
  if (!isSameOrder(price, known)) {
    expect(order).not.toBeNull()
    expect(price).toEqual(order!.price)
    expect(before.invoiceId === null || (before.lapsed === null && before.owed < LEAST_ORDER)).toBe(true)
    // money that came late changes the plan where that is on sale as it was
    const { isOnSale, cents, months } = life.offers[order!.to]!
    if (before.lapsed !== null)
      expect({ isOnSale, cents, months }).toEqual({ isOnSale: true, ...order!.price })
    life.prices.push({ ...price, from: life.today })
    Object.assign(life, { readjustment: null, waiting: null, order: null })
    life.leave++
  } else if (!death && before.lapsed === null && before.owed === 0 && order && life.endsOn === null)
    // who paid in time has the plan
    expect(price).toEqual(order.price)
  if (death) throw death
  if (before.lapsed !== null && before.invoiceId !== null)
    expect(life.today > daysFrom(before.due, DAYS_LATE)).toBe(true)
  await noteOrder(scene, life, null)
}
