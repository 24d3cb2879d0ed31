import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import {
  type Detaching,
  deleteTicket,
  deleteTicketsOf,
  detachClosed,
  detachLiving,
  lockLedOn,
  lockLivingBy,
  lockTicketIdsOf,
  onConnection,
  type TicketOwner,
  unmarkLed,
} from './moves/detach.queries.ts'
import { writeHistory } from './moves/moves.actions.ts'
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
import { loadTickets, lockTicket, type TicketRow, updateTicket } from './tickets.queries.ts'

/** Sets the number of a ticket's messages that are still unread, at most what it was. */
export const markRead = (scope: Scope, ticketId: number, remaining: number) =>
  scope.transaction(async tx => {
    const before = await lockTicket(tx, ticketId)
    if (!before || before.unreadMessages <= remaining) return
    await updateTicket(tx, ticketId, { unreadMessages: remaining })
    if (remaining > 0) return publishMoved(tx, new Map([[ticketId, before]]))
    tx.emit(ticketRead, { ticketId, version: before.version + 1, state: ticketState(before) })
  })

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
    tx.emit(ticketRemoved, { ticketId, state: ticketState(row) })
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
export const detachQueue = (tx: Tx, queueId: number) => detach(tx, { queueId })

/**
 * Tickets of a deleted connection stay without a connection (OP-70); those that are not closed go to the connection
 * `heirId`, or are closed without a farewell. No bot leads them: that of the heir may from the next message on.
 */
export async function detachConnection(
  tx: Tx,
  { whatsappId, heirId, closes }: { whatsappId: number; heirId: number | null; closes: boolean },
) {
  const owner = { whatsappId }
  const withBot = false
  if (heirId !== null) return detach(tx, owner, { ...(await onConnection(tx, heirId)), withBot })
  const closed = closes && ({ status: 'closed', closedAt: new Date().toISOString() } as const)
  await detach(tx, owner, { ...closed, withBot })
}

/** Open tickets of a deleted user are pending again in their queue (OP-70). */
export const detachUser = (tx: Tx, userId: number) => detach(tx, { userId }, { status: 'pending' })

/** Closed tickets, which may be a hundred thousand, are detached without a push: opening one loads its state. */
async function detach(tx: Tx, owner: TicketOwner, also: Detaching = {}) {
  const before = await lockLivingBy(tx, owner)
  if (before.length > 0) await detachLiving(tx, owner, also)
  await detachClosed(tx, owner)
  const what = also.status === 'closed' ? 'resolved' : 'moved'
  const previous = new Map(before.map(row => [row.id, ticketState(row)]))
  for (const ticket of await loadTickets(tx, [...previous.keys()])) {
    const from = previous.get(ticket.id)!
    await writeHistory(tx, ticket.id, what, from, ticket)
    publishChange(tx, ticket, from)
    if (what === 'resolved') await tx.involve(ticketPlaced, { ticket, before: from, what })
  }
}

export async function publishMoved(tx: Tx, before: Map<number, TicketRow>) {
  for (const ticket of await loadTickets(tx, [...before.keys()]))
    publishChange(tx, ticket, ticketState(before.get(ticket.id)!))
}

type Loaded = Awaited<ReturnType<typeof loadTickets>>[number]

const publishChange = (tx: Tx, ticket: Loaded, before: TicketState) =>
  tx.emit(ticketChanged, { ticket, before, by: actorOf(tx), transfer: false })
