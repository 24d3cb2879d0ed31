import { and, eq } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { ownerOfTicket } from '../tickets/lists/visibility.queries.ts'
import type { TicketState } from '../tickets/tickets.events.ts'
import { tickets } from '../tickets/tickets.table.ts'

/** What decides who may read a ticket of the company; null when there is none. */
export async function selectTicketState(tx: Tx, ticketId: number): Promise<TicketState | null> {
  const [state] = await tx.sql
    .select({
      status: tickets.status,
      queueId: tickets.queueId,
      userId: tickets.userId,
      ownerId: ownerOfTicket,
    })
    .from(tickets)
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))
  return state ?? null
}
