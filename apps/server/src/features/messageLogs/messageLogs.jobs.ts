import { chore, job } from '../../platform/jobs.ts'
import { handleAgain } from './messageLogs.again.ts'
import { companiesWithLogs, logsSince } from './messageLogs.queries.ts'
import { forgetOldLogs } from './messageLogs.store.ts'

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

/** The journal is kept for a month, so that it can be handled again; longer where handling failed. */
const forgetOld = chore('messageLogs.forgetOld', '41 3 * * *', async scopes => {
  const platform = scopes.platform()
  for (const companyId of await companiesWithLogs(platform))
    while ((await platform.inCompany(companyId).transaction(forgetOldLogs)) > 0);
})

export const chores = [forgetOld]
export const jobs = [reprocessRecent]
