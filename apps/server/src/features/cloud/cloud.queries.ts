import { given, prepared } from '../../platform/db.prepared.ts'
import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, inArray, isNull, or } from '../../platform/sql.ts'
import { whatsappCloud } from '../connections/connections.table.ts'
import { cloudDeliveries, cloudSent } from './cloud.table.ts'

/** Whose webhook ends in this key, in any company; its secrets are sealed. Undefined when nobody's does. */
export async function ownerOfKey(sql: Sql, key: string) {
  const [row] = await byKey(sql, { key })
  return row
}
const byKey = prepared(sql =>
  sql
    .select({
      companyId: whatsappCloud.companyId,
      whatsappId: whatsappCloud.whatsappId,
      phoneNumberId: whatsappCloud.phoneNumberId,
      appSecret: whatsappCloud.appSecret,
      verifyToken: whatsappCloud.verifyToken,
    })
    .from(whatsappCloud)
    .where(eq(whatsappCloud.webhookKey, given('key'))),
)

/** Connections of the company with these numbers: one app of Meta's may tell of several at one address. */
export const ownersOfNumbers = (tx: Tx, phoneNumberIds: string[]) =>
  tx.sql
    .select({ whatsappId: whatsappCloud.whatsappId, appSecret: whatsappCloud.appSecret })
    .from(whatsappCloud)
    .where(
      and(eq(whatsappCloud.companyId, tx.companyId), inArray(whatsappCloud.phoneNumberId, phoneNumberIds)),
    )

/** What waits to be worked off, oldest first. */
export const waitingDeliveries = (tx: Tx, whatsappId: number, limit: number) =>
  tx.sql
    .select({ id: cloudDeliveries.id, body: cloudDeliveries.body, receivedAt: cloudDeliveries.receivedAt })
    .from(cloudDeliveries)
    .where(
      and(
        eq(cloudDeliveries.companyId, tx.companyId),
        eq(cloudDeliveries.whatsappId, whatsappId),
        isNull(cloudDeliveries.handledAt),
      ),
    )
    .orderBy(asc(cloudDeliveries.id))
    .limit(limit)

export type SentRow = typeof cloudSent.$inferSelect

/** Our messages that go by any of these names, Meta's or ours. */
export async function sentUnder(
  tx: Tx,
  whatsappId: number,
  names: { wamids?: string[]; externalIds?: string[] },
): Promise<SentRow[]> {
  const { wamids = [], externalIds = [] } = names
  if (wamids.length + externalIds.length === 0) return []
  return tx.sql
    .select()
    .from(cloudSent)
    .where(
      and(
        eq(cloudSent.companyId, tx.companyId),
        eq(cloudSent.whatsappId, whatsappId),
        or(
          wamids.length > 0 ? inArray(cloudSent.wamid, wamids) : undefined,
          externalIds.length > 0 ? inArray(cloudSent.externalId, externalIds) : undefined,
        ),
      ),
    )
}
