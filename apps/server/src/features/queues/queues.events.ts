import type { Queue } from '@balcao/contract/queues.ts'
import { event } from '../../platform/events.ts'

export const queueChanged = event<{ queue: Queue; created: boolean }>('queue.changed')

/** Inside the transaction that deletes a queue: records are detached from it. */
export const queueLeaving = event<{ queueId: number }>('queue.leaving')
export const queueRemoved = event<{ queueId: number }>('queue.removed')
