import { within } from '../../platform/events.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { leaveConnection, leaveQueue, leaveUser } from './tickets.detach.ts'

export const reacts = [
  within(queueLeaving, (tx, { queueId }) => leaveQueue(tx, queueId)),
  within(userLeaving, (tx, { userId }) => leaveUser(tx, userId)),
  within(connectionLeaving, (tx, { whatsappId }) => leaveConnection(tx, whatsappId)),
]
