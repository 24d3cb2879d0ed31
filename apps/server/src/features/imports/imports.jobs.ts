import { job } from '../../platform/jobs.ts'
import { importStaged } from './imports.actions.ts'

/** Takes in what waits on a connection. */
export const importStagedJob = job<{ whatsappId: number }>('imports.takeIn', (scope, { whatsappId }) =>
  importStaged(scope, whatsappId),
)
