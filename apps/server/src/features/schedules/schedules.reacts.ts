import { within } from '../../platform/events.ts'
import { filesAsked } from '../../platform/files.served.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { contactLeaving, contactsMerging } from '../contacts/contacts.events.ts'
import { messageSettled } from '../messages/messages.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { letGo, moveSchedules, removeSchedulesOf } from './schedules.detach.ts'
import { settleOccurrence } from './schedules.outcome.ts'
import { filesInSchedules } from './schedules.queries.ts'

export const reacts = [
  within(messageSettled, (tx, { message }) => settleOccurrence(tx, message)),
  within(contactLeaving, (tx, { contactId }) => removeSchedulesOf(tx, contactId)),
  within(contactsMerging, (tx, { from, into }) => moveSchedules(tx, from, into)),
  within(queueLeaving, (tx, { queueId }) => letGo(tx, { queueId })),
  within(userLeaving, (tx, { userId }) => letGo(tx, { userId })),
  within(connectionLeaving, (tx, { whatsappId }) => letGo(tx, { whatsappId })),
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInSchedules(tx, addresses)) named.add(address)
  }),
]
