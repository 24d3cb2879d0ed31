import { within, withinAsking } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files/served.ts'
import { companyWrote } from '../messages/messages.events.ts'
import { ticketPlaced } from '../tickets/tickets.events.ts'
import { filesInFlows, flowFiles } from './flows.queries.ts'
import { followTicket, onCompanyMessage } from './flows.runs.actions.ts'
import { ticketsWithRun } from './flows.runs.queries.ts'

export const reacts = [
  flowFiles,

  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInFlows(tx, addresses)) named.add(address)
  }),
  withinAsking(
    companyWrote,
    (tx, { ticketIds }) => ticketsWithRun(tx, ticketIds),
    async (tx, found) => {
      for (const { ticketId } of found) await onCompanyMessage(tx, ticketId)
    },
  ),
  within(ticketPlaced, (tx, { ticket, before }) => followTicket(tx, ticket, before)),
]
