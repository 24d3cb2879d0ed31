import { type Carried, carried } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfQueues: Carried[] = [carried('queues', { plain: ['hours', 'holidays'] })]
