import { id } from '@balcao/contract/kit.ts'
import { messages } from '@balcao/contract/messages.ts'
import { ticketEventChannel } from '@balcao/contract/tickets.history.ts'
import { TicketStatus, ticketChannel } from '@balcao/contract/tickets.ts'
import { join, publish, type Room, visitedTicket } from '../../platform/live/live.ts'
import {
  historyWritten,
  publishToOthers,
  readerRooms,
  ticketChanged,
  ticketRead,
  ticketRemoved,
  ticketRooms,
} from './tickets.events.ts'
import { findReadable } from './tickets.queries.ts'

export const live = [
  publish(ticketChanged, (companyId, { ticket, before, by, transfer }, push) => {
    const moved = { before, ...(transfer && by && { transf: true, transferredBy: by }) }
    push(ticketChannel, readerRooms(companyId, ticket), { action: 'update', ticket, ...moved })
    publishToOthers(companyId, push, ticket, moved)
  }),
  publish(historyWritten, (companyId, { happened, from, to, ownerId }, push) =>
    push(
      ticketEventChannel,
      ticketRooms(companyId, { ...to, ownerId }, from && { ...from, ownerId }),
      happened,
    ),
  ),
  publish(ticketRead, (companyId, { ticketId, version, state }, push) =>
    push(ticketChannel, ticketRooms(companyId, state), { action: 'updateUnread', ticketId, version }),
  ),
  publish(ticketRemoved, (companyId, { ticketId, state }, push) =>
    push(ticketChannel, ticketRooms(companyId, state), { action: 'delete', ticketId, place: state }),
  ),
  // the rooms that the documents let a client join: what a screen shows; the pushes above decide the audience of a ticket
  join('joinNotification', { room: scope => room(scope.companyId, 'notification') }),
  join('joinTickets', {
    room: (scope, requested) => {
      const status = TicketStatus.safeParse(requested)
      return status.success ? room(scope.companyId, `status:${status.data}`) : null
    },
  }),
  join('joinChatBox', {
    room: async (scope, requested) => {
      const ticketId = id.safeParse(requested)
      if (!ticketId.success) return null
      const ticket = await scope.read(tx => findReadable(tx, ticketId.data))
      return room(scope.companyId, `ticket:${ticket.id}`)
    },
    visitor(scope, requested) {
      const { success, data: ticketId } = id.safeParse(requested)
      return success
        ? {
            room: visitedTicket(scope.companyId, ticketId),
            route: messages.list,
            params: { ticketId: String(ticketId) },
          }
        : null
    },
  }),
]

const room = (companyId: number, name: string): Room => `company:${companyId}:${name}`
