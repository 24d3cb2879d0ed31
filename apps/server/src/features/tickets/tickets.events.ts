import { withoutWords } from '@balcao/contract/tickets.rules.ts'
import { type Ticket, type TicketEvent, type TicketStatus, ticketChannel } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'
import { admins, lookingInto, oneUser, queueMembers, type Room, type SendPush } from '../../platform/live.ts'
import type { HistoryKind } from './tickets.history.ts'

export interface TicketStanding {
  status: TicketStatus
  queueId: number | null
  userId: number | null
}

/** A ticket was opened or moved; `before` is where it stood, null when it is new. */
export const ticketChanged = event<{
  ticket: Ticket
  before: TicketStanding | null
  by: { id: number; name: string } | null
  transfer: boolean
}>('ticket.changed')

/** One attendant opened or moved one ticket by hand; what the customer is told of it goes in the same transaction. */
export const ticketMoved = event<{ ticket: Ticket; before: TicketStanding | null }>('ticket.moved')

/** A ticket moved, whoever did it; within the commit that moves it. */
export const ticketPlaced = event<{ ticket: Ticket; before: TicketStanding; what: HistoryKind }>(
  'ticket.placed',
)

/** A line was added to the history of a ticket that stood in one place and stands in another. */
export const historyWritten = event<{
  happened: TicketEvent
  from: TicketStanding | null
  to: TicketStanding
}>('history.written')

/** Its owner read it. */
export const ticketRead = event<{ ticketId: number; version: number; place: TicketStanding }>('ticket.read')

export const ticketRemoved = event<{ ticketId: number; place: TicketStanding }>('ticket.removed')

/** Who may see a ticket, as rooms: the same policy as tickets.rules `canSee`. */
export function ticketRooms(companyId: number, ...places: (TicketStanding | null)[]): Room[] {
  const rooms = new Set<Room>([admins(companyId)])
  for (const place of places) {
    if (!place) continue
    rooms.add(queueMembers(companyId, place.queueId))
    if (place.userId !== null) rooms.add(oneUser(companyId, place.userId))
  }
  return [...rooms]
}

/** Who may read a ticket, as rooms: the same policy as tickets.rules `canRead`. */
export function readerRooms(companyId: number, place: TicketStanding): Room[] {
  const [all, ...others] = ticketRooms(companyId, place)
  return place.status === 'pending' ? [all!, ...others.map(lookingInto)] : [all!, ...others]
}

/**
 * Those who see a ticket and may not read it hear where it stands, and so do those who saw it where it stood: they
 * must hear that it left.
 */
export function tellOthers(
  companyId: number,
  push: SendPush,
  ticket: Ticket,
  moved: {
    before?: TicketStanding | null
    transf?: boolean
    transferredBy?: { id: number; name: string }
  } = {},
) {
  const readers = readerRooms(companyId, ticket)
  const others = ticketRooms(companyId, ticket, moved.before ?? null).filter(room => !readers.includes(room))
  push(ticketChannel, others, { action: 'update', ticket: withoutWords(ticket), ...moved }, readers)
}

/** Tickets are about to be removed with all that was said in them; what hangs on that goes in the same transaction. */
export const ticketsLeaving = event<{ ticketIds: number[] }>('tickets.leaving')
