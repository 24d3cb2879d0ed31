import { within } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files/served.ts'
import { companyWrote } from '../messages/messages.events.ts'
import { ticketPlaced } from '../tickets/tickets.events.ts'
import { filesInFlows, flowFiles } from './flows.queries.ts'
import { followTicket, onCompanyMessage } from './flows.runs.actions.ts'

export const reacts = [
  flowFiles,

  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInFlows(tx, addresses)) named.add(address)
  }),
  within(companyWrote, (tx, { message }) => onCompanyMessage(tx, message.ticketId)),
  within(ticketPlaced, (tx, { ticket, before }) => followTicket(tx, ticket, before)),
]
