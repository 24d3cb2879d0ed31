import type { Sql } from '../../../platform/postgres/db.ts'
import { and, asc, desc, eq, inArray, isNull, lt, ne } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { closingReasons } from '../../closingReasons/closingReasons.table.ts'
import { ticketHistory, tickets } from '../tickets.table.ts'

export async function lastMove(tx: Tx, ticketId: number): Promise<typeof ticketHistory.$inferSelect | null> {
  const [last] = await tx.sql
    .select()
    .from(ticketHistory)
    .where(and(eq(ticketHistory.companyId, tx.companyId), eq(ticketHistory.ticketId, ticketId)))
    .orderBy(desc(ticketHistory.id))
    .limit(1)
  return last ?? null
}

/** Why a closed ticket was closed, where a user gave a reason. */
export async function closingReasonOf(tx: Tx, ticketId: number) {
  const [last] = await tx.sql
    .select({ id: closingReasons.id, name: closingReasons.name })
    .from(ticketHistory)
    .leftJoin(
      closingReasons,
      and(
        eq(closingReasons.companyId, ticketHistory.companyId),
        eq(closingReasons.id, ticketHistory.reasonId),
      ),
    )
    .where(
      and(
        eq(ticketHistory.companyId, tx.companyId),
        eq(ticketHistory.ticketId, ticketId),
        eq(ticketHistory.what, 'resolved'),
      ),
    )
    .orderBy(desc(ticketHistory.at), desc(ticketHistory.id))
    .limit(1)
  return last?.id ? { id: last.id, name: last.name! } : null
}

export const selectNotClosed = (tx: Tx, ticketIds: number[]) =>
  tx.sql
    .select({ id: tickets.id, queueId: tickets.queueId })
    .from(tickets)
    .where(
      and(eq(tickets.companyId, tx.companyId), inArray(tickets.id, ticketIds), ne(tickets.status, 'closed')),
    )

/** A first run after years without closing must not load everything: the next run continues. */
const MOST_IDLE = 1_000

/** Open tickets without activity since, but snoozed ones: of all companies, or of the one whose transaction it is. */
export const selectIdle = (sql: Sql, since: string) =>
  sql
    .select({ companyId: tickets.companyId, id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.status, 'open'), isNull(tickets.snoozedUntil), lt(tickets.updatedAt, since)))
    .orderBy(asc(tickets.updatedAt))
    .limit(MOST_IDLE)
