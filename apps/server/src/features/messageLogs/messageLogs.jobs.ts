import { chore, inRounds, job } from '../../platform/work/jobs.ts'
import { handleAgain } from './messageLogs.handle.actions.ts'
import { companiesWithLogs, logsSince } from './messageLogs.queries.ts'
import { deleteOldLogs } from './messageLogs.store.queries.ts'

const BATCH = 200

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

/** The journal is kept for a month, longer where handling failed. */
export const forgetOld = chore('messageLogs.forgetOld', '41 3 * * *', async scopes => {
  const platform = scopes.platform()
  const deleteOld = async (companyId: number) =>
    (await platform.inCompany(companyId).transaction(deleteOldLogs)) > 0
  await inRounds(await companiesWithLogs(platform), deleteOld, 'to forget the journal of a company')
})

export const jobs = [reprocessRecent, forgetOld]
