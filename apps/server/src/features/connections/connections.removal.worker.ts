import { isUniqueViolation } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { connectionEmptying, connectionLeaving, connectionRemoved } from './connections.events.ts'
import { defaultConnection, lockStates } from './connections.queries.ts'
import { deleteConnection } from './connections.settings.queries.ts'

/** A connection that is being removed, and where its tickets go. */
export interface Removal {
  whatsappId: number
  heirId: number | null
  closes: boolean
}

/** Tickets of one commit: some tenths of a second. */
const PIECE = 50

/**
 * Takes away what a connection that is being removed has, piece by piece, then the connection. After a crash the committed
 * pieces are gone. Ends after `ms`, or where another transaction opens a ticket of the same customer at this moment.
 */
export async function emptyConnection(scope: Scope, removal: Removal, ms: number): Promise<void> {
  const until = performance.now() + ms
  let isMore = true
  while (isMore && performance.now() < until)
    isMore = await scope
      .transaction(tx => removePiece(tx, removal))
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'tickets_one_living') && ms !== Number.POSITIVE_INFINITY) return false
        throw error
      })
}

/** False when nothing is left. */
async function removePiece(tx: Tx, { whatsappId, heirId, closes }: Removal): Promise<boolean> {
  const states = await lockStates(tx, [whatsappId, heirId ?? whatsappId])
  if (states.get(whatsappId) !== 'REMOVING') return false
  // the heir may be gone meanwhile; the default connection is never removed
  const isHeirGone = heirId !== null && (states.get(heirId) ?? 'REMOVING') === 'REMOVING'
  const heir = isHeirGone ? await defaultConnection(tx) : heirId
  const taken = { rows: 0 }
  await tx.involve(connectionEmptying, { whatsappId, heirId: heir, closes, most: PIECE, taken })
  if (taken.rows > 0) return true
  await tx.involve(connectionLeaving, { whatsappId, heirId: heir, closes })
  await deleteConnection(tx, whatsappId)
  tx.emit(connectionRemoved, { whatsappId })
  return false
}
