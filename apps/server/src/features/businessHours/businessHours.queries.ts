import type { BusinessHours } from '@balcao/contract/businessHours.ts'
import { asc, eq, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
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

/** What may have hours of its own: a queue before a connection, before the company. */
export interface HoursPlace {
  queueId?: number | null
  whatsappId?: number | null
}

/**
 * Whether a queue, a connection or the company is open at this moment; null where it has no hours. The same in SQL:
 * `is_open(company, queue, connection)`, `open_seconds(company, queue, connection, since, until)`.
 */
export async function isOpenNow(tx: Tx, { queueId, whatsappId }: HoursPlace = {}): Promise<boolean | null> {
  const [row] = await rowsFrom<{ open: boolean | null }>(
    tx.sql,
    tag`select is_open(${tx.companyId}::int, ${queueId ?? null}::int, ${whatsappId ?? null}::int) as open`,
  )
  return row?.open ?? null
}

/** Whether a queue, or a connection, of these ids is closed at this moment; not without hours. */
export const isOutsideHours = (tx: Tx, queueId: SQL, whatsappId: SQL): SQL =>
  tag`coalesce(not is_open(${tx.companyId}::int, ${queueId}, ${whatsappId}), false)`

/** Functions of the database do not read the configuration: the zone of a company without one is kept beside its hours. */
export const keepZone = (tx: Tx) =>
  tx.sql
    .insert(weeks)
    .values({ companyId: tx.companyId, usualZone: tx.timeZone })
    .onConflictDoUpdate({ target: weeks.companyId, set: { usualZone: tx.timeZone } })

/** Replaces hours and holidays. Without hours nothing is measured against the holidays. */
export async function writeHours(tx: Tx, { hours: open, holidays: days }: BusinessHours): Promise<void> {
  const { companyId, timeZone: usualZone } = tx
  // the row of the week is the lock of concurrent writes; hours and holidays are deleted by cascade
  await keepZone(tx)
  await tx.sql.delete(weeks).where(eq(weeks.companyId, companyId))
  await tx.sql.insert(weeks).values({ companyId, usualZone })
  if (open.length > 0) await tx.sql.insert(hours).values(open.map(one => ({ companyId, ...one })))
  if (days.length > 0) await tx.sql.insert(holidays).values(days.map(one => ({ companyId, ...one })))
}
