import type { Queue } from '@balcao/contract/queues.ts'
import { event } from '../../platform/events.ts'

export const queueChanged = event<{ queue: Queue; created: boolean }>('queue.changed')

/** Inside the transaction that deletes a queue: records are detached from it. */
export const queueLeaving = event<{ queueId: number }>('queue.leaving')
/**
 * Inside the transactions that come before: whose records of the queue may be many takes at most `most` of them and adds how
 * many it took to `taken`, until none are left.
 */
export const queueEmptying = event<{ queueId: number; most: number; taken: { rows: number } }>(
  'queue.emptying',
)
export const queueRemoved = event<{ queueId: number }>('queue.removed')
