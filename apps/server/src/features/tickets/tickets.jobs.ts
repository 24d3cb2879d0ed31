import type { Sql } from '../../platform/db.ts'
import { chore } from '../../platform/jobs.ts'
import { and, asc, eq, lt } from '../../platform/sql.ts'
import { closeIdle } from './tickets.actions.ts'
import { tickets } from './tickets.table.ts'

const HOUR_MS = 3_600_000
/** A first run after years of waiting must not hold everything in memory: the next one goes on. */
const AT_ONCE = 1_000

/**
 * Open tickets in which nothing was said for the configured hours are closed (OP-57). Being handed over or opened
 * again counts as something said: whoever just took a ticket up is about to write. No hours, or none of them: never.
 */
export const closeIdleTickets = chore(
  'tickets.closeIdle',
  '*/5 * * * *',
  async (scopes, { hoursCloseTicketsAuto: hours }) => {
    if (!hours) return
    const since = new Date(Date.now() - hours * HOUR_MS).toISOString()
    const platformScope = scopes.platform()
    for (const { companyId, id } of await platformScope.transaction(sql => idle(sql, since)))
      await closeIdle(platformScope.inCompany(companyId), id, since)
  },
)

export const chores = [closeIdleTickets]

const idle = (sql: Sql, since: string) =>
  sql
    .select({ companyId: tickets.companyId, id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.status, 'open'), lt(tickets.updatedAt, since)))
    .orderBy(asc(tickets.updatedAt))
    .limit(AT_ONCE)
