import { within } from '../../platform/events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { leaveQueue } from './tickets.detach.ts'

export const reacts = [within(queueLeaving, (tx, { queueId }) => leaveQueue(tx, queueId))]
