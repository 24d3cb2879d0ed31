import { createHash } from 'node:crypto'
import type { Scope, Tx } from '../../platform/scope.ts'
import { emitConnectionChanged } from '../connections/connections.actions.ts'
import { updateCloud } from '../connections/connections.cloud.queries.ts'
import type { CloudRow } from '../connections/connections.rules.ts'
import { deliveryKept } from './cloud.events.ts'
import { insertDeliveries } from './cloud.queries.ts'

export interface Posted {
  /** The connections it is about. */
  whatsappIds: number[]
  body: Buffer
}

/** Stores what Meta posted, in one commit. The same bytes again change nothing. */
export const keepDeliveries = (scope: Scope, posted: Posted[]): Promise<void> =>
  scope.transaction(async tx => {
    const rows = posted.flatMap(({ whatsappIds, body }) => {
      const digest = createHash('sha256').update(body).digest('base64url')
      const text = body.toString('utf8').replaceAll('\0', '')
      return whatsappIds.map(whatsappId => ({ whatsappId, digest, body: text }))
    })
    await insertDeliveries(tx, rows)
    for (const whatsappId of new Set(rows.map(row => row.whatsappId))) tx.emit(deliveryKept, { whatsappId })
  })

/** Writes what Meta reports of a number; its admins see it. */
export async function publishHealth(tx: Tx, whatsappId: number, learnt: Partial<CloudRow>): Promise<void> {
  await updateCloud(tx, whatsappId, learnt)
  await emitConnectionChanged(tx, whatsappId)
}
