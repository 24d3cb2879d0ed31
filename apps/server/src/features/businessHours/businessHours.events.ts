import { event } from '../../platform/events.ts'

/** Inside the transaction that changes hours or holidays: of one queue, or (null) of what queues ask where they have none. */
export const hoursChanged = event<{ queueId: number | null }>('hours.changed')
