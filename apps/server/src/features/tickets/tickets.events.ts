import type { Ticket, TicketStatus } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'
import { admins, oneUser, queueMembers, type Room } from '../../platform/live.ts'

export interface Place {
  status: TicketStatus
  queueId: number | null
  userId: number | null
}

/** A ticket was opened or moved; `before` is where it stood, null when it is new. */
export const ticketChanged = event<{
  ticket: Ticket
  before: Place | null
  by: { id: number; name: string } | null
  transfer: boolean
}>('ticket.changed')

/** One attendant opened or moved one ticket by hand; what the customer is told of it goes in the same transaction. */
export const ticketMoved = event<{ ticket: Ticket; before: Place | null }>('ticket.moved')

/** Its owner read it. */
export const ticketRead = event<{ ticketId: number; version: number; place: Place }>('ticket.read')

export const ticketRemoved = event<{ ticketId: number; place: Place }>('ticket.removed')

/** Who may see a ticket, as rooms: the same policy as tickets.rules `canSee`. */
export function ticketRooms(companyId: number, ...places: (Place | null)[]): Room[] {
  const rooms = new Set<Room>([admins(companyId)])
  for (const place of places) {
    if (!place) continue
    rooms.add(queueMembers(companyId, place.queueId))
    if (place.userId !== null) rooms.add(oneUser(companyId, place.userId))
  }
  return [...rooms]
}

/** Tickets are about to be removed with all that was said in them; what hangs on that goes in the same transaction. */
export const ticketsLeaving = event<{ ticketIds: number[] }>('tickets.leaving')
