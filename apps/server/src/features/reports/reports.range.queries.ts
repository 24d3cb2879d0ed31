import { MOST_DAYS, rangeFault } from '@balcao/contract/reports.rules.ts'
import type { ReportFilter } from '@balcao/contract/reports.ts'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, isNull, rowsFrom, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { endOf, startOf, zoneOf } from '../companies/companies.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { queues } from '../queues/queues.table.ts'
import { users } from '../users/users.table.ts'

export interface Asked {
  initialDate?: string | undefined
  finalDate?: string | undefined
  queueIds?: number[] | undefined
  userIds?: number[] | undefined
}

/** What a report looks at: moments in UTC, and no queue or user for all of them. */
export interface ReportRange {
  from: string
  until: string
  /** As long as the range, and right before it. */
  before: string
  /** The clock by which days begin. */
  zone: string
  queueIds: number[]
  userIds: number[]
}

/**
 * What is asked, by the company's clock: from the start of the month up to now by default. Refuses with ERR_BAD_REQUEST
 * a range that ends before it begins or is longer than five years, with ERR_NO_QUEUE_FOUND and ERR_NO_USER_FOUND what the
 * company has not; the fields are named as the caller calls them.
 */
export async function rangeOf(
  tx: Tx,
  { initialDate, finalDate, queueIds = [], userIds = [] }: Asked,
  names: { queueIds: string; userIds: string },
): Promise<ReportRange> {
  const { from, until, zone } = await moments(tx, initialDate, finalDate)
  const fault = rangeFault(from, until)
  if (fault === 'backwards')
    refuse('ERR_BAD_REQUEST', { field: 'finalDate', message: 'Ends before it begins' })
  if (fault === 'tooLong')
    refuse('ERR_BAD_REQUEST', { field: 'initialDate', message: `At most ${MOST_DAYS} days` })
  if (!(await hasAll(tx, queues, queueIds))) refuse('ERR_NO_QUEUE_FOUND', { field: names.queueIds })
  if (!(await hasAll(tx, users, userIds))) refuse('ERR_NO_USER_FOUND', { field: names.userIds })
  const before = new Date(2 * Date.parse(from) - Date.parse(until)).toISOString()
  return { from, until, before, zone, queueIds, userIds }
}

/** What the parameters of a report ask for. Refuses as `rangeOf` does. */
export const rangeIn = (tx: Tx, filter: ReportFilter): Promise<ReportRange> =>
  rangeOf(tx, chosenIn(filter), selected)

/** How the parameters of a report are named. */
export const selected = { queueIds: 'selectedQueueIds', userIds: 'selectedUserIds' } as const

export const chosenIn = ({ initialDate, finalDate, selectedQueueIds, selectedUserIds }: ReportFilter) => ({
  ...{ initialDate, finalDate, queueIds: selectedQueueIds, userIds: selectedUserIds },
})

async function moments(tx: Tx, initialDate?: string, finalDate?: string) {
  const monthBegan = tag`date_trunc('month', now() at time zone ${zoneOf(tx)}) at time zone ${zoneOf(tx)}`
  const [row] = await tx.sql
    .select({
      from: written(initialDate ? startOf(tx, initialDate) : monthBegan),
      until: written(finalDate ? endOf(tx, finalDate) : tag`now()`),
      zone: tag<string>`${zoneOf(tx)}`,
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

/** The zone whose clock the company reads, by its name. */
export async function ownZone(tx: Tx): Promise<string> {
  const [row] = await tx.sql
    .select({ zone: tag<string>`${zoneOf(tx)}` })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.zone
}

export async function reportedCompanies(sql: Sql): Promise<number[]> {
  const rows = await sql.select({ id: companies.id }).from(companies).where(isNull(companies.leavingAt))
  return rows.map(({ id }) => id)
}

const written = (at: SQL) => tag<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

async function hasAll(tx: Tx, table: typeof queues | typeof users, ids: number[]): Promise<boolean> {
  if (ids.length === 0) return true
  const rows = await tx.sql
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.companyId, tx.companyId), inArray(table.id, ids)))
  return rows.length === new Set(ids).size
}

/** These moments as local times of a time zone, in their order. */
export async function localTimes(tx: Tx, zone: string, moments: string[]): Promise<string[]> {
  if (moments.length === 0) return []
  const rows = await rowsFrom<{ shown: string }>(
    tx.sql,
    tag`select to_char(m.at at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS') as shown
      from unnest(${`{${moments}}`}::timestamptz[]) with ordinality as m (at, place) order by m.place`,
  )
  return rows.map(({ shown }) => shown)
}
