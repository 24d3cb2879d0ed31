import type { Ticket } from '@balcao/contract/tickets.ts'
import { within } from '../../platform/events.ts'
import type { Tx } from '../../platform/scope.ts'
import { looksUp, lookup } from '../messages/inbound/lookups.queries.ts'
import { customerWrote, placeholderArrived } from '../messages/messages.events.ts'
import { announceNews, removeMarksOf } from '../tickets/marks/marks.actions.ts'
import { followersQuery } from '../tickets/marks/marks.queries.ts'
import { wakeByWord } from '../tickets/marks/snooze.actions.ts'
import { ticketsLeaving } from '../tickets/tickets.events.ts'

const wakeWith = async (tx: Tx, { ticket }: { ticket: Ticket }) => {
  if (ticket.snoozedUntil !== null) await wakeByWord(tx, ticket.id)
}

const followed = lookup<boolean>('followed', followersQuery)

export const reacts = [
  within(customerWrote, wakeWith),
  looksUp(followed),
  within(customerWrote, async (tx, received) => {
    if (followed.of(received)) await announceNews(tx, received.ticket)
  }),
  within(placeholderArrived, wakeWith),
  within(ticketsLeaving, (tx, { ticketIds }) => removeMarksOf(tx, ticketIds)),
]
