import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Tx } from '../../../platform/scope.ts'
import { type HistoryKind, ticketChanged, ticketMoved, ticketPlaced, ticketState } from '../tickets.events.ts'
import { loadTickets } from '../tickets.queries.ts'
import { openForUsers, type Shifted, waitAgain } from './assign.queries.ts'
import { writeHistories } from './moves.actions.ts'

/**
 * Gives waiting tickets to users, as if they had accepted them, but that they are still unread. One that somebody took
 * meanwhile stays his. Returns how many were given.
 */
export async function giveTickets(tx: Tx, given: { ticketId: number; user: Viewer }[]): Promise<number> {
  const viewers = new Map(given.map(({ ticketId, user }) => [ticketId, user]))
  const moved = await openForUsers(
    tx,
    given.map(({ ticketId, user }) => ({ ticketId, userId: user.id })),
  )
  // in the name of the attendant, who greets
  for (const { ticket, before } of await announce(tx, 'assigned', moved))
    await tx.lane(0, viewers.get(ticket.id)!).involve(ticketMoved, { ticket, before })
  return moved.length
}

/** Open tickets of users who do not answer wait in their queues again; those that others have by now stay. */
export async function takeBack(tx: Tx, tickets: { id: number; userId: number }[]): Promise<void> {
  await announce(tx, 'returned', await waitAgain(tx, tickets))
}

async function announce(tx: Tx, what: HistoryKind, moved: Shifted[]) {
  const tickets = await loadTickets(
    tx,
    moved.map(({ id }) => id),
  )
  const before = new Map(moved.map(row => [row.id, ticketState(row)]))
  const all = tickets.map(ticket => ({ ticket, before: before.get(ticket.id)! }))
  await writeHistories(
    tx,
    what,
    all.map(({ ticket, before: from }) => ({ ticketId: ticket.id, from, to: ticketState(ticket) })),
  )
  for (const { ticket, before: from } of all) {
    tx.emit(ticketChanged, { ticket, before: from, by: null, transfer: false })
    await tx.involve(ticketPlaced, { ticket, before: from, what })
  }
  return all
}
