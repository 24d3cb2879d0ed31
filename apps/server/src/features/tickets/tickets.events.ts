import type { TicketEvent } from '@balcao/contract/tickets.history.ts'
import { withoutWords } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, type TicketStatus, ticketChannel } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'
import {
  admins,
  lookingInto,
  ofCustomers,
  oneUser,
  queueMembers,
  type Room,
  type SendPush,
} from '../../platform/live/live.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Closing } from '../closingReasons/closingReasons.actions.ts'

/** What decides who sees a ticket. */
export interface TicketState {
  status: TicketStatus
  queueId: number | null
  userId: number | null
  /** Omitted, or null, where it is not snoozed. */
  snoozedUntil?: string | null
  /** The owner of its contact, where it is known or changed. */
  ownerId?: number | null
}

export type HistoryKind = TicketEvent['what']

/** A ticket was opened or changed; `before` is its previous state, null when it is new. */
export const ticketChanged = event<{
  ticket: Ticket
  before: TicketState | null
  by: { id: number; name: string } | null
  transfer: boolean
  /** Why a user closed it. */
  closing?: Closing | null
}>('ticket.changed')

/** A user opened or moved one ticket: messages to the customer about it are written in the same transaction. */
export const ticketMoved = event<{ ticket: Ticket; before: TicketState | null }>('ticket.moved')

/** A ticket moved, by a user or the server; published inside the transaction of the move. */
export const ticketPlaced = event<{ ticket: Ticket; before: TicketState; what: HistoryKind }>('ticket.placed')

export const historyWritten = event<{
  happened: TicketEvent
  from: TicketState | null
  to: TicketState
  ownerId: number | null
}>('history.written')

export const ticketRead = event<{ ticketId: number; version: number; state: TicketState }>('ticket.read')

export const ticketRemoved = event<{ ticketId: number; state: TicketState }>('ticket.removed')

/**
 * Tickets are about to be deleted with their messages; owned records go in the same transaction. `isForgotten`: their
 * contact is deleted too, and no personal data may remain.
 */
export const ticketsLeaving = event<{ ticketIds: number[]; isForgotten: boolean }>('tickets.leaving')

export const ticketState = ({ status, queueId, userId, snoozedUntil }: TicketState): TicketState => ({
  status,
  queueId,
  userId,
  ...(snoozedUntil && { snoozedUntil }),
})

/** The acting user as colleagues see them; null when the server acts. */
export const actorOf = ({ viewer }: Scope) => viewer && { id: viewer.id, name: viewer.name }

/** A state, or a whole ticket. */
type Placed = TicketState & { contact?: { ownerId: number | null } }

/**
 * The rooms of those who may see a ticket in any of these states: the policy of tickets.rules `canSee`. A state without an
 * owner has that of the first.
 */
export function ticketRooms(companyId: number, ...states: (Placed | null)[]): Room[] {
  const rooms = new Set<Room>([admins(companyId)])
  const known = states.filter(state => state !== null)
  for (const state of known) {
    const members = queueMembers(companyId, state.queueId)
    rooms.add(members)
    const ownerId =
      state.ownerId === undefined ? (known[0]?.contact?.ownerId ?? known[0]?.ownerId) : state.ownerId
    if (ownerId) rooms.add(ofCustomers(members, ownerId))
    if (state.userId !== null) rooms.add(oneUser(companyId, state.userId))
  }
  return [...rooms]
}

/** The rooms of those who may read a ticket: the policy of tickets.rules `canRead`. */
export function readerRooms(companyId: number, state: Placed): Room[] {
  const [all, ...others] = ticketRooms(companyId, state)
  return state.status === 'pending' ? [all!, ...others.map(lookingInto)] : [all!, ...others]
}

/** Pushes a ticket without its texts to those who see it but may not read it, and to those who saw it before. */
export function publishToOthers(
  companyId: number,
  push: SendPush,
  ticket: Ticket,
  moved: {
    before?: TicketState | null
    transf?: boolean
    transferredBy?: { id: number; name: string }
  } = {},
) {
  const readers = readerRooms(companyId, ticket)
  const others = ticketRooms(companyId, ticket, moved.before ?? null).filter(room => !readers.includes(room))
  push(ticketChannel, others, { action: 'update', ticket: withoutWords(ticket), ...moved }, readers)
}
