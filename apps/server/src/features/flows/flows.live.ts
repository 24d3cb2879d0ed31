import { flowChannel, flowRunChannel } from '@balcao/contract/flows.ts'
import { publish, pushList } from '../../platform/live/live.ts'
import { readerRooms } from '../tickets/tickets.events.ts'
import { flowChanged, flowRunChanged } from './flows.events.ts'

export const live = [
  pushList(flowChannel, flowChanged),
  publish(flowRunChanged, (companyId, { ticket, run }, push) =>
    push(flowRunChannel, readerRooms(companyId, ticket), { ticketId: ticket.id, run }),
  ),
]
