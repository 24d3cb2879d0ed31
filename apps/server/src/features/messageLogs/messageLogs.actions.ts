import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Scope } from '../../platform/scope.ts'
import { handleAgain } from './messageLogs.again.ts'
import { logEmptied } from './messageLogs.events.ts'
import { reprocessRecent } from './messageLogs.jobs.ts'
import { companiesWithLogs, companyOfLog } from './messageLogs.queries.ts'
import { emptyLog } from './messageLogs.store.ts'

/** Handles one piece of news again. Refuses with ERR_NOT_FOUND. */
export async function reprocess(platform: PlatformScope, logId: number): Promise<RawMessageLog> {
  const companyId = (await companyOfLog(platform, logId)) ?? refuse('ERR_NOT_FOUND')
  return (await handleAgain(platform.inCompany(companyId), logId)) ?? refuse('ERR_NOT_FOUND')
}

/** Everything of the last 24 hours, company by company, in the background (OP-114). */
export async function reprocessAll(platform: PlatformScope) {
  const since = new Date(Date.now() - 24 * 3_600_000).toISOString()
  for (const companyId of await companiesWithLogs(platform))
    await platform
      .inCompany(companyId)
      .transaction(tx => tx.enqueue(reprocessRecent, { since, after: 0 }, { key: `${companyId} ${since}` }))
}

/** Deletes the log of all companies. What waits to be handled is not log yet. */
export async function removeAll(scope: Scope, platform: PlatformScope): Promise<number> {
  const deleted = await platform.transaction(sql => emptyLog(sql))
  await scope.transaction(async tx => tx.emit(logEmptied, {}))
  return deleted
}
