import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import {
  type Detaching,
  deleteTicket,
  deleteTicketsOf,
  detachClosed,
  detachTickets,
  lockLedOn,
  lockLivingBy,
  lockTicketIdsOf,
  onConnection,
  type TicketOwner,
  unmarkLed,
} from './moves/detach.queries.ts'
import { writeHistories } from './moves/moves.actions.ts'
import { endWindows } from './moves/reach.queries.ts'
import {
  actorOf,
  type TicketState,
  ticketChanged,
  ticketPlaced,
  ticketRead,
  ticketRemoved,
  ticketState,
  ticketsLeaving,
} from './tickets.events.ts'
import { loadTickets, lockTicket, type OwnedRow, type TicketRow, updateTicket } from './tickets.queries.ts'

/** Sets the number of a ticket's messages that are still unread, at most what it was. */
export const markRead = (scope: Scope, ticketId: number, remaining: number) =>
  scope.transaction(async tx => {
    const before = await lockTicket(tx, ticketId)
    if (!before || before.unreadMessages <= remaining) return
    await updateTicket(tx, ticketId, { unreadMessages: remaining })
    if (remaining > 0) return publishMoved(tx, new Map([[ticketId, before]]))
    tx.emit(ticketRead, { ticketId, version: before.version + 1, state: withOwner(before) })
  })

/** A state that is the last of its ticket, or alone in its push. */
const withOwner = (row: OwnedRow): TicketState => ({ ...ticketState(row), ownerId: row.ownerId })

/** Sets whether a bot leads a ticket. */
export async function markWithBot(tx: Tx, { id, withBot }: Pick<Ticket, 'id' | 'withBot'>, leads: boolean) {
  if (withBot === leads) return
  await updateTicket(tx, id, { withBot: leads })
  for (const ticket of await loadTickets(tx, [id])) publishChange(tx, ticket, ticketState(ticket))
}

/** These connections lost their bot: what it led waits for people. */
export async function leaveToPeople(tx: Tx, whatsappIds: number[]) {
  const led = whatsappIds.length > 0 ? await lockLedOn(tx, whatsappIds) : []
  if (led.length > 0) await unmarkLed(tx, led)
  for (const ticket of await loadTickets(tx, led)) publishChange(tx, ticket, ticketState(ticket))
}

/** Deletes a ticket with its messages and history. Refuses with ERR_NO_TICKET_FOUND. */
export const remove = (scope: Scope, ticketId: number) =>
  scope.transaction(async tx => {
    const row = (await lockTicket(tx, ticketId)) ?? refuse('ERR_NO_TICKET_FOUND')
    await tx.involve(ticketsLeaving, { ticketIds: [ticketId], isForgotten: false })
    await deleteTicket(tx, ticketId)
    tx.emit(ticketRemoved, { ticketId, state: withOwner(row) })
  })

/** Deletes the tickets of a contact that is deleted, with their messages. */
export async function removeTicketsOf(tx: Tx, contactId: number) {
  const ticketIds = await lockTicketIdsOf(tx, contactId)
  await tx.involve(ticketsLeaving, { ticketIds, isForgotten: true })
  for (const { id, ...state } of await deleteTicketsOf(tx, contactId))
    tx.emit(ticketRemoved, { ticketId: id, state })
}

/** The network refused a message as too late: ends the service window, unless the contact wrote after `at`. */
export async function closeWindow(tx: Tx, contactId: number, whatsappId: number, at: string): Promise<void> {
  for (const ticket of await loadTickets(tx, await endWindows(tx, contactId, whatsappId, at)))
    tx.emit(ticketChanged, { ticket, before: ticketState(ticket), by: null, transfer: false })
}

/** Tickets of a deleted queue stay without a queue (OP-70). */
export async function detachQueue(tx: Tx, { queueId, most, taken }: Emptying & { queueId: number }) {
  taken.rows += await detachSome(tx, { queueId }, {}, most)
}

interface Emptying {
  most: number
  taken: { rows: number }
}

/**
 * Tickets of a deleted connection stay without a connection (OP-70); those that are not closed go to the connection
 * `heirId`, or are closed without a farewell. No bot leads them: that of the heir may from the next message on.
 */
export async function detachConnection(
  tx: Tx,
  {
    whatsappId,
    heirId,
    closes,
    most,
    taken,
  }: Emptying & { whatsappId: number; heirId: number | null; closes: boolean },
) {
  const closed = closes && ({ status: 'closed', closedAt: databaseTime() } as const)
  const also = heirId === null ? closed : await onConnection(tx, heirId)
  taken.rows += await detachSome(tx, { whatsappId }, { ...also, withBot: false }, most)
}

/** Open tickets of a deleted user are pending again in their queue (OP-70). */
export async function detachUser(tx: Tx, { userId, most, taken }: Emptying & { userId: number }) {
  taken.rows += await detachSome(tx, { userId }, { status: 'pending' }, most)
}

/**
 * At most `most` of those that are not closed, then of the others, which may be a hundred thousand and are detached without
 * a push: opening one loads its state. Returns how many.
 */
async function detachSome(tx: Tx, owner: TicketOwner, also: Detaching, most: number): Promise<number> {
  const before = await lockLivingBy(tx, owner, most)
  if (before.length === 0) return detachClosed(tx, owner, most * CLOSED_TIMES)
  const previous = new Map(before.map(row => [row.id, ticketState(row)]))
  const ids = [...previous.keys()]
  await detachTickets(tx, owner, ids, also)
  const what = also.status === 'closed' ? 'resolved' : 'moved'
  const tickets = await loadTickets(tx, ids)
  await writeHistories(
    tx,
    what,
    tickets.map(ticket => ({ ticketId: ticket.id, from: previous.get(ticket.id)!, to: ticket })),
  )
  for (const ticket of tickets) {
    const from = previous.get(ticket.id)!
    publishChange(tx, ticket, from)
    if (what === 'resolved') await tx.involve(ticketPlaced, { ticket, before: from, what })
  }
  return ids.length
}

/** A closed ticket costs a tenth of another: no history, no push. */
const CLOSED_TIMES = 10

export async function publishMoved(tx: Tx, before: Map<number, TicketRow>) {
  for (const ticket of await loadTickets(tx, [...before.keys()]))
    publishChange(tx, ticket, ticketState(before.get(ticket.id)!))
}

type Loaded = Awaited<ReturnType<typeof loadTickets>>[number]

const publishChange = (tx: Tx, ticket: Loaded, before: TicketState) =>
  tx.emit(ticketChanged, { ticket, before, by: actorOf(tx), transfer: false })
