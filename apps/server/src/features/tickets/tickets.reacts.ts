import { within } from '../../platform/events.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { contactLeaving } from '../contacts/contacts.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { detachConnection, detachQueue, detachUser, removeTicketsOf } from './tickets.detach.ts'
import { ticketsLeaving } from './tickets.events.ts'
import { tellTagsOf } from './tickets.tags.ts'

export const reacts = [
  within(contactLeaving, (tx, { contactId }) => removeTicketsOf(tx, contactId)),
  within(queueLeaving, (tx, { queueId }) => detachQueue(tx, queueId)),
  within(userLeaving, (tx, { userId }) => detachUser(tx, userId)),
  within(ticketsLeaving, (tx, { ticketIds }) => tellTagsOf(tx, ticketIds)),
  within(connectionLeaving, (tx, { whatsappId }) => detachConnection(tx, whatsappId)),
]
