import { job } from '../../platform/jobs.ts'
import { takeInAll } from './imports.actions.ts'

/** Takes in what waits on a connection. */
export const takeInOld = job<{ whatsappId: number }>('imports.takeIn', (scope, { whatsappId }) =>
  takeInAll(scope, whatsappId),
)
