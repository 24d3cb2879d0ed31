import { within } from '../../platform/events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { releaseQuickAnswers } from './quickAnswers.owners.actions.ts'

export const reacts = [within(queueLeaving, (tx, { queueId }) => releaseQuickAnswers(tx, queueId))]
