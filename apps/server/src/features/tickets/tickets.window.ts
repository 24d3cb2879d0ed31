import type { Tx } from '../../platform/scope.ts'
import { and, eq, gt, sql as tag } from '../../platform/sql.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { ticketChanged } from './tickets.events.ts'
import { loadTickets } from './tickets.queries.ts'
import { tickets } from './tickets.table.ts'

/**
 * Until when a contact may be written to freely on a connection: null where nothing limits it. On the official API a
 * day after the contact last wrote there, which earlier tickets remember; who never did is written to by templates.
 */
export async function repliesUntilOn(
  tx: Tx,
  contactId: number,
  whatsappId: number | null,
): Promise<string | null> {
  if (whatsappId === null || (await findConnection(tx, whatsappId)).lib !== 'cloud') return null
  const [known] = await tx.sql
    .select({ until: tag<string | null>`max(${tickets.repliesUntil})`.mapWith(tickets.repliesUntil) })
    .from(tickets)
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.contactId, contactId),
        eq(tickets.whatsappId, whatsappId),
      ),
    )
  return known?.until ?? new Date().toISOString()
}

/** What was written at `at` came too late: the window is closed now, unless the contact wrote after it. */
export async function closeWindow(tx: Tx, contactId: number, whatsappId: number, at: string): Promise<void> {
  const now = new Date().toISOString()
  const closed = await tx.sql
    .update(tickets)
    .set({ repliesUntil: now, version: tag`${tickets.version} + 1` })
    .where(
      and(
        eq(tickets.companyId, tx.companyId),
        eq(tickets.contactId, contactId),
        eq(tickets.whatsappId, whatsappId),
        gt(tickets.repliesUntil, now),
        tag`${tickets.repliesUntil} <= ${at}::timestamptz + interval '24 hours'`,
      ),
    )
    .returning({ id: tickets.id })
  const ids = closed.map(({ id }) => id)
  for (const ticket of await loadTickets(tx, ids)) {
    const { status, queueId, userId } = ticket
    tx.emit(ticketChanged, { ticket, before: { status, queueId, userId }, by: null, transfer: false })
  }
}
