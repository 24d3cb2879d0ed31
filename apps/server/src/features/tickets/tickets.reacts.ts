import { within } from '../../platform/events.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { contactLeaving } from '../contacts/contacts.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { leaveConnection, leaveQueue, leaveUser, removeOf } from './tickets.detach.ts'

export const reacts = [
  within(contactLeaving, (tx, { contactId }) => removeOf(tx, contactId)),
  within(queueLeaving, (tx, { queueId }) => leaveQueue(tx, queueId)),
  within(userLeaving, (tx, { userId }) => leaveUser(tx, userId)),
  within(connectionLeaving, (tx, { whatsappId }) => leaveConnection(tx, whatsappId)),
]
