import { within } from '../../platform/events.ts'
import { customerWrote } from '../messages/messages.events.ts'
import { wakeByWord } from '../tickets/marks/snooze.actions.ts'

export const reacts = [
  within(customerWrote, async (tx, { ticket }) => {
    if (ticket.snoozedUntil !== null) await wakeByWord(tx, ticket.id)
  }),
]
