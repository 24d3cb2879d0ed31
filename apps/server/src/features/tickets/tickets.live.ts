import { ticketChannel } from '@balcao/contract/tickets.ts'
import { announce } from '../../platform/live.ts'
import { ticketChanged, ticketRead, ticketRemoved, ticketRooms } from './tickets.events.ts'

export const live = [
  // those who saw it where it stood must hear that it left
  announce(ticketChanged, (companyId, { ticket, before, by, transfer }, push) =>
    push(ticketChannel, ticketRooms(companyId, ticket, before), {
      action: 'update',
      ticket,
      before,
      ...(transfer && by && { transf: true, transferredBy: by }),
    }),
  ),
  announce(ticketRead, (companyId, { ticketId, version, place }, push) =>
    push(ticketChannel, ticketRooms(companyId, place), { action: 'updateUnread', ticketId, version }),
  ),
  announce(ticketRemoved, (companyId, { ticketId, place }, push) =>
    push(ticketChannel, ticketRooms(companyId, place), { action: 'delete', ticketId, place }),
  ),
]
