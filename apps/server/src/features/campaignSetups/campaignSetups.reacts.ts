import { within } from '../../platform/events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { userLeaving } from '../users/users.events.ts'
import { letSetupsGo } from './campaignSetups.queries.ts'

export const reacts = [
  within(queueLeaving, (tx, { queueId }) => letSetupsGo(tx, { queueId })),
  within(userLeaving, (tx, { userId }) => letSetupsGo(tx, { userId })),
]
