import type { Queue } from '@balcao/contract/queues.ts'
import { event } from '../../platform/events.ts'

export const queueChanged = event<{ queue: Queue; created: boolean }>('queue.changed')

/** Asked inside the transaction that removes a queue: whatever points to it lets go now. */
export const queueLeaving = event<{ queueId: number }>('queue.leaving')
export const queueRemoved = event<{ queueId: number }>('queue.removed')
