import { cut } from '@balcao/contract/cut.rules.ts'
import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import type { InboundEvent } from '../../driver.ts'
import { isConnectionFailure } from '../../platform/errors.ts'
import { whyItFailed } from '../../platform/observe/log-errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { applyInbound } from '../messages/inbound/inbound.actions.ts'
import { inboundLogged } from './messageLogs.events.ts'
import { lockLog } from './messageLogs.queries.ts'
import { toLog } from './messageLogs.rules.ts'
import { settle } from './messageLogs.store.queries.ts'

/** Handles a recorded inbound event again, which changes nothing where it was handled. Records a failure. */
export async function handleAgain(scope: Scope, logId: number): Promise<RawMessageLog | null> {
  const handle = (failure: string) =>
    scope.transaction(async tx => {
      const row = await lockLog(tx, logId)
      if (!row) return null
      const begun = performance.now()
      const inbound = JSON.parse(row.event) as InboundEvent
      const { ticketId, missing } = failure
        ? { ticketId: row.ticketId, missing: false }
        : await applyInbound(tx, row.whatsappId, inbound)
      const spentMs = Math.round(performance.now() - begun)
      const after = await settle(tx, logId, { ticketId, spentMs, failure, missing })
      tx.emit(inboundLogged, { row: after, again: true })
      return toLog(after)
    })
  return handle('').catch((error: unknown) => {
    if (isConnectionFailure(error)) throw error
    return handle(cut(whyItFailed(error), 500))
  })
}
