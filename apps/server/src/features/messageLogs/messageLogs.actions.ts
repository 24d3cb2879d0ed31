import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { Heard } from '../../channels/driver.ts'
import { isConnectionFailure, refuse } from '../../platform/errors.ts'
import type { PlatformScope, Scope } from '../../platform/scope.ts'
import { understand } from '../messages/messages.meaning.ts'
import { logEmptied, newsLogged } from './messageLogs.events.ts'
import { reprocessRecent } from './messageLogs.jobs.ts'
import { companiesWithLogs, companyOfLog, lockLog } from './messageLogs.queries.ts'
import { toLog } from './messageLogs.shape.ts'
import { emptyLog, settle } from './messageLogs.store.ts'

/** Handles one piece of news again. Refuses with ERR_NOT_FOUND. */
export async function reprocess(platform: PlatformScope, logId: number): Promise<RawMessageLog> {
  const companyId = (await companyOfLog(platform, logId)) ?? refuse('ERR_NOT_FOUND')
  return (await handleAgain(platform.inCompany(companyId), logId)) ?? refuse('ERR_NOT_FOUND')
}

/** What was heard is handled as if it had just come, which changes nothing where it was. Why it fails is written down. */
export async function handleAgain(scope: Scope, logId: number): Promise<RawMessageLog | null> {
  const handle = (failure: string) =>
    scope.transaction(async tx => {
      const row = await lockLog(tx, logId)
      if (!row) return null
      const begun = performance.now()
      const heard = JSON.parse(row.heard) as Heard
      const { ticketId, missing } = failure
        ? { ticketId: row.ticketId, missing: false }
        : await understand(tx, row.whatsappId, heard)
      const spentMs = Math.round(performance.now() - begun)
      const after = await settle(tx, logId, { ticketId, spentMs, failure, missing })
      tx.emit(newsLogged, { row: after, again: true })
      return toLog(after)
    })
  return handle('').catch((error: unknown) => {
    if (isConnectionFailure(error)) throw error
    return handle(String(error).slice(0, 500))
  })
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
