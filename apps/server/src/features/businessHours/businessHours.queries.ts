import type { BusinessHours } from '@balcao/contract/businessHours.ts'
import { asc, eq, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies } from '../companies/companies.table.ts'
import {
  businessHolidays as holidays,
  businessHours as hours,
  businessWeeks as weeks,
} from './businessHours.table.ts'

export const hoursOf = async (tx: Tx): Promise<BusinessHours> => ({
  hours: await tx.sql
    .select({ weekday: hours.weekday, opens: hours.opens, closes: hours.closes })
    .from(hours)
    .where(eq(hours.companyId, tx.companyId))
    .orderBy(asc(hours.weekday), asc(hours.opens)),
  holidays: await tx.sql
    .select({ day: holidays.day, name: holidays.name })
    .from(holidays)
    .where(eq(holidays.companyId, tx.companyId))
    .orderBy(asc(holidays.day)),
})

const isOpen = (tx: Tx) =>
  tag<boolean | null>`business_time(${tx.companyId}, now(), now() + interval '1 millisecond') > interval '0'`

/** Whether the company is open at this moment; null without hours. */
export async function isOpenNow(tx: Tx): Promise<boolean | null> {
  const [row] = await tx.sql
    .select({ open: isOpen(tx) })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row?.open ?? null
}

/** Whether the company is closed at this moment; not without hours. */
export const isOutsideHours = (tx: Tx): SQL => tag`coalesce(not ${isOpen(tx)}, false)`

/** Replaces hours and holidays. Without hours nothing is measured against the holidays. */
export async function writeHours(tx: Tx, { hours: open, holidays: days }: BusinessHours): Promise<void> {
  const { companyId, timeZone: usualZone } = tx
  // the row of the week is the lock of concurrent writes; hours and holidays are deleted by cascade
  await tx.sql
    .insert(weeks)
    .values({ companyId, usualZone })
    .onConflictDoUpdate({ target: weeks.companyId, set: { usualZone } })
  await tx.sql.delete(weeks).where(eq(weeks.companyId, companyId))
  if (open.length + days.length === 0) return
  await tx.sql.insert(weeks).values({ companyId, usualZone })
  if (open.length > 0) await tx.sql.insert(hours).values(open.map(one => ({ companyId, ...one })))
  if (days.length > 0) await tx.sql.insert(holidays).values(days.map(one => ({ companyId, ...one })))
}
