import { botChannel, botSessionChannel } from '@balcao/contract/bots.ts'
import { publish, pushList } from '../../platform/live/live.ts'
import { readerRooms } from '../tickets/tickets.events.ts'
import { botChanged, botTurned } from './bots.events.ts'

export const live = [
  pushList(botChannel, botChanged),
  // the answers are part of the conversation: only its readers get them
  publish(botTurned, (companyId, { ticket, session }, push) =>
    push(botSessionChannel, readerRooms(companyId, ticket), { ticketId: ticket.id, session }),
  ),
]
