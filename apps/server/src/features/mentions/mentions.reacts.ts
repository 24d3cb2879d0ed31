import { within } from '../../platform/events.ts'
import { noteKept } from '../messages/messages.events.ts'
import { ticketsLeaving } from '../tickets/tickets.events.ts'
import { followNote, partFromTickets } from './mentions.actions.ts'

export const reacts = [
  within(noteKept, followNote),
  within(ticketsLeaving, (tx, { ticketIds }) => partFromTickets(tx, ticketIds)),
]
