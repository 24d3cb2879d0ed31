import type { Tx } from '../../platform/scope.ts'
import { and, eq, sql as tag } from '../../platform/sql.ts'
import { ticketChanged } from './tickets.events.ts'
import { writeHistory } from './tickets.history.ts'
import { livingOf, loadTicket, type TicketRow } from './tickets.queries.ts'
import { tickets } from './tickets.table.ts'

/**
 * Hangs the tickets of a contact on another. Where both have a living one on a connection, one goes on: the one
 * that somebody attends, else the one that stood; what was unread in the other counts there.
 */
export async function moveTickets(tx: Tx, from: number, into: number): Promise<void> {
  const touched = new Map<number, TicketRow>()
  const standing = await livingOf(tx, into)
  for (const moving of await livingOf(tx, from)) {
    const rival = standing.find(one => one.whatsappId === moving.whatsappId && !one.parallel)
    if (!rival || moving.parallel) continue
    const attended = moving.status === 'open' && rival.status === 'pending'
    const [kept, ended] = attended ? [moving, rival] : [rival, moving]
    await goOn(tx, kept, ended)
    touched.set(kept.id, kept).set(ended.id, ended)
  }
  const moved = await tx.sql
    .update(tickets)
    .set({ contactId: into, version: tag`${tickets.version} + 1` })
    .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.contactId, from)))
    .returning()
  for (const row of moved) if (!touched.has(row.id)) touched.set(row.id, row)
  for (const [id, { status, queueId, userId }] of touched) {
    const ticket = (await loadTicket(tx, id))!
    tx.emit(ticketChanged, { ticket, before: { status, queueId, userId }, by: null, transfer: false })
  }
}

async function goOn(tx: Tx, kept: TicketRow, ended: TicketRow) {
  const version = tag`${tickets.version} + 1`
  const closedAt = new Date().toISOString()
  const set = (ticketId: number, fields: object) =>
    tx.sql
      .update(tickets)
      .set({ ...fields, version })
      .where(and(eq(tickets.companyId, tx.companyId), eq(tickets.id, ticketId)))
  await set(ended.id, { status: 'closed', unreadMessages: 0, waitingSince: null, closedAt })
  await set(kept.id, {
    unreadMessages: tag`${tickets.unreadMessages} + ${ended.unreadMessages}`,
    waitingSince: tag`least(${tickets.waitingSince}, ${ended.waitingSince}::timestamptz)`,
  })
  const { status, queueId, userId } = ended
  await writeHistory(
    tx,
    ended.id,
    'resolved',
    { status, queueId, userId },
    { status: 'closed', queueId, userId },
  )
}
