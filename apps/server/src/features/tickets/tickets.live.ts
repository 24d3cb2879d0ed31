import { ticketChannel } from '@balcao/contract/tickets.ts'
import { admins, announce, oneUser, queueMembers, type Room } from '../../platform/live.ts'
import { type Place, ticketChanged, ticketRead, ticketRemoved } from './tickets.events.ts'

/** Who may see a ticket, as rooms: the same policy as tickets.rules `canSee`. */
export function audienceOf(companyId: number, ...places: (Place | null)[]): Room[] {
  const rooms = new Set<Room>([admins(companyId)])
  for (const place of places) {
    if (!place) continue
    rooms.add(queueMembers(companyId, place.queueId))
    if (place.userId !== null) rooms.add(oneUser(companyId, place.userId))
  }
  return [...rooms]
}

export const live = [
  // those who saw it where it stood must hear that it left
  announce(ticketChanged, (companyId, { ticket, before, by, transfer }, push) =>
    push(ticketChannel, audienceOf(companyId, ticket, before), {
      action: 'update',
      ticket,
      ...(transfer && by && { transf: true, transferredBy: by }),
    }),
  ),
  announce(ticketRead, (companyId, { ticketId, version, place }, push) =>
    push(ticketChannel, audienceOf(companyId, place), { action: 'updateUnread', ticketId, version }),
  ),
  announce(ticketRemoved, (companyId, { ticketId, place }, push) =>
    push(ticketChannel, audienceOf(companyId, place), { action: 'delete', ticketId }),
  ),
]
