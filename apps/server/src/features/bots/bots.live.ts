import { botChannel, botSessionChannel } from '@balcao/contract/bots.ts'
import { publish, pushList } from '../../platform/live.ts'
import { readerRooms } from '../tickets/tickets.events.ts'
import { botChanged, botTurned } from './bots.events.ts'

export const live = [
  pushList(botChannel, botChanged),
  // answers are words of the ticket
  publish(botTurned, (companyId, { ticket, session }, push) =>
    push(botSessionChannel, readerRooms(companyId, ticket), { ticketId: ticket.id, session }),
  ),
]
