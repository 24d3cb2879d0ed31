import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { Heard } from '../../driver.ts'
import { isConnectionFailure } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { understand } from '../messages/messages.meaning.ts'
import { inboundLogged } from './messageLogs.events.ts'
import { lockLog } from './messageLogs.queries.ts'
import { toLog } from './messageLogs.shape.ts'
import { settle } from './messageLogs.store.ts'

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
      tx.emit(inboundLogged, { row: after, again: true })
      return toLog(after)
    })
  return handle('').catch((error: unknown) => {
    if (isConnectionFailure(error)) throw error
    return handle(String(error).slice(0, 500))
  })
}
