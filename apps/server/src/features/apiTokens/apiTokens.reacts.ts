import { within } from '../../platform/events.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { letTokensGo } from './apiTokens.actions.ts'

export const reacts = [
  within(queueLeaving, (tx, { queueId }) => letTokensGo(tx, { queueId })),
  within(userLeaving, (tx, { userId }) => letTokensGo(tx, { userId })),
  within(connectionLeaving, (tx, { whatsappId }) => letTokensGo(tx, { whatsappId })),
]
