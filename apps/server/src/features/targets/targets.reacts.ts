import { within } from '../../platform/events.ts'
import { hoursChanged } from '../businessHours/businessHours.events.ts'
import { zoneChanged } from '../companies/companies.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { ticketPlaced } from '../tickets/tickets.events.ts'
import { countAnew } from './targets.actions.ts'
import { forgetMoveTo, takeBackClosing } from './targets.queries.ts'

export const reacts = [
  within(hoursChanged, (tx, { queueId }) => countAnew(tx, queueId)),
  within(zoneChanged, tx => countAnew(tx, null)),
  within(queueLeaving, async (tx, { queueId }) => {
    await forgetMoveTo(tx, queueId)
  }),
  within(ticketPlaced, async (tx, { ticket, before, what }) => {
    if (what === 'undone' && before.status === 'closed' && ticket.queueId !== null)
      await takeBackClosing(tx, ticket.id)
  }),
]
