import { within } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files.served.ts'
import { companyWrote } from '../messages/messages.events.ts'
import { ticketPlaced } from '../tickets/tickets.events.ts'
import { filesInFlows } from './flows.queries.ts'
import { followTicket, giveWay } from './flows.running.ts'

export const reacts = [
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInFlows(tx, addresses)) named.add(address)
  }),
  within(companyWrote, (tx, { message }) => giveWay(tx, message.ticketId)),
  within(ticketPlaced, (tx, { ticket, before }) => followTicket(tx, ticket, before)),
]
