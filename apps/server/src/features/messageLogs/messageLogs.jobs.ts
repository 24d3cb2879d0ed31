import { job } from '../../platform/jobs.ts'
import { handleAgain } from './messageLogs.actions.ts'
import { logsSince } from './messageLogs.queries.ts'

const BATCH = 200

/** A batch of one company's news again, then the next: a stop in between goes on where it was. */
export const reprocessRecent = job<{ since: string; after: number }>(
  'messageLogs.reprocessRecent',
  async (scope, { since, after }) => {
    const ids = await scope.read(tx => logsSince(tx, since, after, BATCH))
    for (const id of ids) await handleAgain(scope, id)
    const last = ids.at(-1)
    if (last !== undefined && ids.length === BATCH)
      await scope.transaction(tx => tx.enqueue(reprocessRecent, { since, after: last }))
  },
)

export const jobs = [reprocessRecent]
