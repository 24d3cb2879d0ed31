import { within, withinAsking } from '../../platform/events.ts'
import { companyWrote } from '../messages/messages.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { ticketPlaced } from '../tickets/tickets.events.ts'
import { closeDialog } from './botConfigs.dialogs.actions.ts'
import { ticketsWithDialog } from './botConfigs.dialogs.queries.ts'
import { detachQueueFrom } from './botConfigs.queries.ts'

export const reacts = [
  within(queueLeaving, async (tx, { queueId }) => void (await detachQueueFrom(tx, queueId))),
  // the model sends nothing after a user wrote or moved the ticket
  withinAsking(
    companyWrote,
    (tx, { ticketIds }) => ticketsWithDialog(tx, ticketIds),
    async (tx, found) => {
      for (const { ticketId } of found) await closeDialog(tx, ticketId!)
    },
  ),
  within(ticketPlaced, (tx, { ticket }) => closeDialog(tx, ticket.id)),
]
