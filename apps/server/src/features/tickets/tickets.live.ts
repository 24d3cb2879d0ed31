import { ticketChannel, ticketEventChannel } from '@balcao/contract/tickets.ts'
import { publish } from '../../platform/live.ts'
import {
  historyWritten,
  readerRooms,
  tellOthers,
  ticketChanged,
  ticketRead,
  ticketRemoved,
  ticketRooms,
} from './tickets.events.ts'

export const live = [
  publish(ticketChanged, (companyId, { ticket, before, by, transfer }, push) => {
    const moved = { before, ...(transfer && by && { transf: true, transferredBy: by }) }
    push(ticketChannel, readerRooms(companyId, ticket), { action: 'update', ticket, ...moved })
    tellOthers(companyId, push, ticket, moved)
  }),
  publish(historyWritten, (companyId, { happened, from, to }, push) =>
    push(ticketEventChannel, ticketRooms(companyId, from, to), happened),
  ),
  publish(ticketRead, (companyId, { ticketId, version, place }, push) =>
    push(ticketChannel, ticketRooms(companyId, place), { action: 'updateUnread', ticketId, version }),
  ),
  publish(ticketRemoved, (companyId, { ticketId, place }, push) =>
    push(ticketChannel, ticketRooms(companyId, place), { action: 'delete', ticketId, place }),
  ),
]
