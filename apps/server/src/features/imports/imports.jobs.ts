import { job } from '../../platform/work/jobs.ts'
import { importStaged } from './imports.worker.ts'

export const importStagedJob = job<{ whatsappId: number }>('imports.takeIn', (scope, { whatsappId }) =>
  importStaged(scope, whatsappId),
)
