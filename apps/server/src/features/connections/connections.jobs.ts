import { job } from '../../platform/work/jobs.ts'
import { emptyConnection, type Removal } from './connections.removal.worker.ts'

/** Repeated until the connection is gone: a ticket of the same customer at the heir is a matter of a moment. */
export const removeConnectionJob = job<Removal>(
  'connections.remove',
  (scope, removal) => emptyConnection(scope, removal, Number.POSITIVE_INFINITY),
  { retries: 30, minutes: 240 },
)
