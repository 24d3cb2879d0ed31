import { createHash } from 'node:crypto'
import { worsened } from '@balcao/contract/cloud.standing.rules.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { emitConnectionChanged } from '../connections/connections.actions.ts'
import { cloudOf, updateCloud, updateCloudSince } from '../connections/connections.cloud.queries.ts'
import type { CloudRow } from '../connections/connections.rules.ts'
import { deliveryKept } from './cloud.events.ts'
import { insertDeliveries } from './cloud.queries.ts'
import type { AccountNews } from './cloud.rules.ts'

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

/** Writes what Meta reports of a number; its admins see it, and the log says what became worse. */
export const publishHealth = (tx: Tx, whatsappId: number, learnt: Partial<CloudRow>): Promise<void> =>
  changeStanding(tx, whatsappId, async () => {
    await updateCloud(tx, whatsappId, learnt)
    return true
  })

/** Writes what Meta reports of an account, in any order and as often as it comes. */
export const hearOfAccount = (tx: Tx, whatsappId: number, news: AccountNews[]): Promise<void> =>
  changeStanding(tx, whatsappId, async () => {
    let isNew = false
    for (const one of news) {
      const since = 'banAt' in one ? 'banAt' : 'restrictedAt' in one ? 'restrictedAt' : 'violatedAt'
      if (await updateCloudSince(tx, whatsappId, since, one)) isNew = true
    }
    return isNew
  })

async function changeStanding(tx: Tx, whatsappId: number, change: () => Promise<boolean>) {
  const before = await cloudOf(tx, whatsappId)
  if (!(await change())) return
  const after = await cloudOf(tx, whatsappId)
  const worse = before && after ? worsened(before, after, databaseNow()) : []
  if (worse.length > 0) tx.note('Meta thinks worse of a number', { whatsappId, worse })
  await emitConnectionChanged(tx, whatsappId)
}
