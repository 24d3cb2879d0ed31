import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Scope } from '../../platform/scope.ts'
import { logEmptied } from './messageLogs.events.ts'
import { handleAgain } from './messageLogs.handle.actions.ts'
import { reprocessRecent } from './messageLogs.jobs.ts'
import { companiesWithLogs, companyOfLog } from './messageLogs.queries.ts'
import { deleteAfter, type LogPosition, START } from './messageLogs.store.queries.ts'

export async function reprocess(platform: PlatformScope, logId: number): Promise<RawMessageLog> {
  const companyId = (await companyOfLog(platform, logId)) ?? refuse('ERR_NOT_FOUND')
  return (await handleAgain(platform.inCompany(companyId), logId)) ?? refuse('ERR_NOT_FOUND')
}

/** Handles the inbound events of the last 24 hours again, by company, in jobs (OP-114). */
export async function reprocessAll(platform: PlatformScope) {
  const since = new Date(databaseNow() - 24 * 3_600_000).toISOString()
  for (const companyId of await companiesWithLogs(platform))
    await platform
      .inCompany(companyId)
      .transaction(tx => tx.enqueue(reprocessRecent, { since, after: 0 }, { key: `${companyId} ${since}` }))
}

/** Deletes the log of all companies, in batches, but events that are not handled yet. Returns how many. */
export async function removeAll(scope: Scope, platform: PlatformScope): Promise<number> {
  let deleted = 0
  let from: LogPosition | null = START
  while (from) {
    const position: LogPosition = from
    const { many, last } = await platform.transaction(sql => deleteAfter(sql, position))
    deleted += many
    from = last
  }
  await scope.transaction(async tx => tx.emit(logEmptied, {}))
  return deleted
}
