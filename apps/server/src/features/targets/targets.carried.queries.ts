import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfTargets: Carried[] = [
  carried('target_outcomes', {
    after: ['tickets'],
    refers: { queue_id: 'queues', user_id: 'users' },
    set: { announced: 'true' },
  }),
]
