import type { Sql } from '../../platform/db.ts'
import type { Scope } from '../../platform/scope.ts'
import { and, asc, eq, lt } from '../../platform/sql.ts'
import { closeIdle } from './tickets.actions.ts'
import { tickets } from './tickets.table.ts'

const HOUR_MS = 3_600_000
/** A first run after years of waiting must not hold everything in memory: the next one goes on. */
const AT_ONCE = 1_000

/** Before when nothing must have been said, so many hours back from now. */
export const quietSince = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()

/** Open tickets in which nothing was said since: of all companies, or of the one whose transaction asks. */
export const idle = (sql: Sql, since: string) =>
  sql
    .select({ companyId: tickets.companyId, id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.status, 'open'), lt(tickets.updatedAt, since)))
    .orderBy(asc(tickets.updatedAt))
    .limit(AT_ONCE)

/** Closes what of a company was quiet for so many hours. Answers how many. */
export async function closeIdleTicketsOf(scope: Scope, hours: number): Promise<number> {
  const since = quietSince(hours)
  const found = await scope.read(tx => idle(tx.sql, since))
  for (const { id } of found) await closeIdle(scope, id, since)
  return found.length
}
