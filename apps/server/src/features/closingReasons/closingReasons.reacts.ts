import { within } from '../../platform/events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { releaseQueue } from './closingReasons.actions.ts'

export const reacts = [within(queueLeaving, (tx, { queueId }) => releaseQueue(tx, queueId))]
