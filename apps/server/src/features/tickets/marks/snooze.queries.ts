import type { Sql } from '../../../platform/postgres/db.ts'
import { and, asc, eq, isNotNull, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { outside } from '../../../platform/work/due-rows.ts'
import type { TicketRow } from '../tickets.queries.ts'
import { tickets } from '../tickets.table.ts'

const isOver = and(isNotNull(tickets.snoozedUntil), tag`${tickets.snoozedUntil} <= now()`)

/** Tickets whose snooze is over, of all companies but those `passed`. */
export const dueSnoozes = (sql: Sql, most: number, passed: number[] = []) =>
  sql
    .select({ companyId: tickets.companyId, id: tickets.id })
    .from(tickets)
    .where(and(isOver, outside(tickets.companyId, passed)))
    .orderBy(asc(tickets.snoozedUntil))
    .limit(most)

/** The row of a ticket whose snooze is over, locked; null where it is not, or no longer. */
export async function lockSnoozeOver(tx: Tx, ticketId: number): Promise<TicketRow | null> {
  const [row] = await tx.sql
    .select()
    .from(tickets)
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId), isOver))
    .for('update')
  return row ?? null
}
