import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../../platform/scope.ts'
import { ticketChanged } from './tickets.events.ts'
import { writeHistory } from './tickets.history.ts'
import { livingOf, loadTicket } from './tickets.queries.ts'
import { tickets } from './tickets.table.ts'

/** Hangs the tickets of a contact on another. Where both have a living one on a connection, the moved one is closed. */
export async function moveTickets(tx: Tx, from: number, into: number): Promise<void> {
  const standing = await livingOf(tx, into)
  for (const moving of await livingOf(tx, from)) {
    if (!standing.some(one => one.whatsappId === moving.whatsappId && !one.parallel)) continue
    const { status, queueId, userId } = moving
    await tx.sql
      .update(tickets)
      .set({ status: 'closed', unreadMessages: 0, version: moving.version + 1 })
      .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, moving.id)))
    await writeHistory(
      tx,
      moving.id,
      'resolved',
      { status, queueId, userId },
      { status: 'closed', queueId, userId },
    )
  }
  const moved = await tx.sql
    .update(tickets)
    .set({ contactId: into })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.contactId, from), ne(tickets.contactId, into)))
    .returning({ id: tickets.id, status: tickets.status, queueId: tickets.queueId, userId: tickets.userId })
  for (const { id, ...place } of moved) {
    const ticket = (await loadTicket(tx, id))!
    tx.emit(ticketChanged, { ticket, before: place, by: null, transfer: false })
  }
}
