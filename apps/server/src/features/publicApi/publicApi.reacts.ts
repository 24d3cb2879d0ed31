import { within } from '../../platform/events.ts'
import { ticketsLeaving } from '../tickets/tickets.events.ts'
import { forgetAnswers } from './publicApi.queries.ts'

export const reacts = [
  within(ticketsLeaving, async (tx, { ticketIds, isForgotten }) => {
    if (isForgotten) await forgetAnswers(tx, ticketIds)
  }),
]
