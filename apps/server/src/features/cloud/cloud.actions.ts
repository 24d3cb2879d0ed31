import { createHash } from 'node:crypto'
import type { Sql } from '../../platform/db.ts'
import type { Scope } from '../../platform/scope.ts'
import { and, eq, inArray, lt, sql as tag } from '../../platform/sql.ts'
import { emitConnectionChanged } from '../connections/connections.actions.ts'
import { type CloudRow, learnCloud } from '../connections/connections.cloud.ts'
import { deliveryKept } from './cloud.events.ts'
import { cloudDeliveries, cloudSent } from './cloud.table.ts'

export interface Posted {
  /** The connections it is about. */
  whatsappIds: number[]
  body: Buffer
}

/** Writes down what Meta posted, in one commit. The same bytes again change nothing. */
export const keepDeliveries = (scope: Scope, posted: Posted[]): Promise<void> =>
  scope.transaction(async tx => {
    const rows = posted.flatMap(({ whatsappIds, body }) => {
      const digest = createHash('sha256').update(body).digest('base64url')
      const text = body.toString('utf8').replaceAll('\0', '')
      return whatsappIds.map(whatsappId => ({ companyId: tx.companyId, whatsappId, digest, body: text }))
    })
    await tx.sql.insert(cloudDeliveries).values(rows).onConflictDoNothing()
    for (const whatsappId of new Set(rows.map(row => row.whatsappId))) tx.emit(deliveryKept, { whatsappId })
  })

/** These were worked off; `strange` says what nobody understood of one. */
export const settleDeliveries = (scope: Scope, ids: number[], strange: Map<number, string>): Promise<void> =>
  scope.transaction(async tx => {
    const handled = { handledAt: new Date().toISOString() }
    const plain = ids.filter(id => !strange.has(id))
    const own = eq(cloudDeliveries.companyId, tx.companyId)
    if (plain.length > 0)
      await tx.sql
        .update(cloudDeliveries)
        .set(handled)
        .where(and(own, inArray(cloudDeliveries.id, plain)))
    for (const [id, what] of strange)
      await tx.sql
        .update(cloudDeliveries)
        .set({ ...handled, strange: what.slice(0, 20_000) })
        .where(and(own, eq(cloudDeliveries.id, id)))
  })

/** Before a message leaves. From now on it may be there, until somebody says otherwise. */
export const markAsked = (scope: Scope, whatsappId: number, externalId: string): Promise<unknown> =>
  scope.transaction(tx => {
    const asked = { askedAt: new Date().toISOString(), wamid: null }
    return tx.sql
      .insert(cloudSent)
      .values({ companyId: tx.companyId, whatsappId, externalId, ...asked })
      .onConflictDoUpdate({
        target: [cloudSent.companyId, cloudSent.whatsappId, cloudSent.externalId],
        set: asked,
      })
  })

/** It surely did not leave. */
export const unmark = (scope: Scope, whatsappId: number, externalId: string): Promise<unknown> =>
  scope.transaction(tx =>
    tx.sql
      .delete(cloudSent)
      .where(
        and(
          eq(cloudSent.companyId, tx.companyId),
          eq(cloudSent.whatsappId, whatsappId),
          eq(cloudSent.externalId, externalId),
          tag`${cloudSent.wamid} is null`,
        ),
      ),
  )

/** Meta's names of our messages, from an answer or from a status that came before it. */
export const learnNames = (
  scope: Scope,
  whatsappId: number,
  named: { externalId: string; wamid: string }[],
): Promise<unknown> =>
  scope.transaction(async tx => {
    const rows = [...new Map(named.map(one => [one.externalId, one])).values()]
    if (rows.length === 0) return
    await tx.sql
      .insert(cloudSent)
      .values(rows.map(one => ({ ...one, companyId: tx.companyId, whatsappId })))
      .onConflictDoUpdate({
        target: [cloudSent.companyId, cloudSent.whatsappId, cloudSent.externalId],
        set: { wamid: tag`excluded.wamid` },
        setWhere: tag`${cloudSent.wamid} is null`,
      })
  })

/** What was learnt of a number; its admins see it. */
export const tellHealth = (scope: Scope, whatsappId: number, learnt: Partial<CloudRow>): Promise<unknown> =>
  scope.transaction(async tx => {
    await learnCloud(tx, whatsappId, learnt)
    await emitConnectionChanged(tx, whatsappId)
  })

/** Meta repeats a delivery for seven days at most. What was not understood is kept three months. */
export const forgetOld = (sql: Sql) =>
  sql
    .delete(cloudDeliveries)
    .where(
      and(
        lt(cloudDeliveries.receivedAt, tag`now() - interval '8 days'` as never),
        tag`${cloudDeliveries.handledAt} is not null`,
        tag`(${cloudDeliveries.strange} = '' or ${cloudDeliveries.receivedAt} < now() - interval '90 days')`,
      ),
    )
