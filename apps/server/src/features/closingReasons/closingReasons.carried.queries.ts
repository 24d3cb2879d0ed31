import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfClosingReasons: Carried[] = [
  carried('closing_reasons', { refers: { queue_ids: 'queues' } }),
  carried('queue_closings', {}),
]
