import type { BusinessHours, OpenHours } from '@balcao/contract/businessHours.ts'
import { asc, eq, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'
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

/** The same of a connection: by its own hours where it has some, on no holiday of the company. */
const isOpenBy = (tx: Tx, own: SQL) => tag<
  boolean | null
>`case when ${own} is null then ${isOpen(tx)} else exists (
    select from (select now() at time zone ${zoneOf(tx)} as at) here
    join jsonb_to_recordset(${own}) as h(weekday int, opens int, closes int) on h.weekday = extract(dow from here.at)
      and extract(epoch from here.at::time) >= h.opens * 60 and extract(epoch from here.at::time) < h.closes * 60
    where not exists (select from business_holidays d where d.company_id = ${tx.companyId} and d.day = here.at::date)) end`

/** Whether the company, or a connection with hours of its own, is open at this moment; null without hours. */
export async function isOpenNow(tx: Tx, own: OpenHours[] | null = null): Promise<boolean | null> {
  const [row] = await tx.sql
    .select({ open: own ? isOpenBy(tx, tag`${JSON.stringify(own)}::jsonb`) : isOpen(tx) })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row?.open ?? null
}

/** Whether the connection with these hours, JSON or null, is closed at this moment; not without hours. */
export const isOutsideHours = (tx: Tx, own: SQL): SQL => tag`coalesce(not (${isOpenBy(tx, own)}), false)`

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
