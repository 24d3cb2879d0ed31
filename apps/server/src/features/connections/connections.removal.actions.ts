import { refuse } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { detachConnectionFromUsers } from '../users/users.detach.actions.ts'
import { emitConnectionChanged } from './connections.actions.ts'
import { connectionWanted } from './connections.events.ts'
import { removeConnectionJob } from './connections.jobs.ts'
import { findConnection, lockConnections } from './connections.queries.ts'
import { emptyConnection } from './connections.removal.worker.ts'
import { setDesired } from './connections.session.queries.ts'
import { deleteNetwork } from './connections.settings.queries.ts'

/** So long (ms) the call itself takes tickets away; a job does the rest. */
const CALL_MS = 1_000

/**
 * Deletes a connection. Its keys and its lease go at once, so that nothing is received or sent over it any more; its tickets
 * that are not closed go to the connection `heirId`, are closed, or stay without one, and messages in its outbox fail, some
 * hundred a commit. Resolves when that is done, or goes on as a job. Refuses the default one with ERR_NO_OTHER_WHATSAPP, and
 * an unknown heir with ERR_NO_WAPP_FOUND.
 */
export async function removeConnection(
  scope: Scope,
  whatsappId: number,
  { heirId, closes }: { heirId: number | null; closes: boolean },
): Promise<void> {
  const removal = { whatsappId, heirId, closes }
  const isFirst = await scope.transaction(async tx => {
    const others = (await lockConnections(tx)).filter(
      ({ id, status }) => id !== whatsappId && status !== 'REMOVING',
    )
    const { isDefault, status } = await findConnection(tx, whatsappId)
    if (isDefault) refuse('ERR_NO_OTHER_WHATSAPP')
    if (heirId !== null && !others.some(({ id }) => id === heirId))
      refuse('ERR_NO_WAPP_FOUND', { field: 'heirId' })
    // what the first call chose holds; its job goes on
    if (status === 'REMOVING') return false
    await deleteNetwork(tx, whatsappId)
    await detachConnectionFromUsers(tx, whatsappId)
    await setDesired(tx, whatsappId, {
      ...{ status: 'REMOVING', statusReason: '', statusUntil: null, wanted: 'off' },
      ...{ qrcode: '', pairingCode: '' },
    })
    tx.emit(connectionWanted, { whatsappId })
    await tx.enqueue(removeConnectionJob, removal, { as: tx.viewer })
    await emitConnectionChanged(tx, whatsappId)
    return true
  })
  if (isFirst) await emptyConnection(scope, removal, CALL_MS)
}
