import { job } from '../../platform/work/jobs.ts'
import { importPiece } from './imports.worker.ts'

/** What is staged behind a piece is the next job: imports take turns by company. */
export const importStagedJob = job<{ whatsappId: number }>(
  'imports.takeIn',
  async (scope, { whatsappId }) => {
    if (await importPiece(scope, whatsappId))
      await scope.transaction(tx => tx.enqueue(importStagedJob, { whatsappId }))
  },
)
