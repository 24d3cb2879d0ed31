import type { Ticket } from '@balcao/contract/tickets.ts'
import { within } from '../../platform/events.ts'
import type { Tx } from '../../platform/scope.ts'
import { customerWrote, placeholderArrived } from '../messages/messages.events.ts'
import { removeMarksOf } from '../tickets/marks/marks.actions.ts'
import { wakeByWord } from '../tickets/marks/snooze.actions.ts'
import { ticketsLeaving } from '../tickets/tickets.events.ts'

const wakeWith = async (tx: Tx, { ticket }: { ticket: Ticket }) => {
  if (ticket.snoozedUntil !== null) await wakeByWord(tx, ticket.id)
}

export const reacts = [
  within(customerWrote, wakeWith),
  within(placeholderArrived, wakeWith),
  within(ticketsLeaving, (tx, { ticketIds }) => removeMarksOf(tx, ticketIds)),
]
