import type { PushDevice, PushSettings, PushSubscriptionInput } from '@balcao/contract/push.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, asc, desc, eq, not, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import { pushKeys, pushSettings, pushSubscriptions as subscriptions } from './push.table.ts'

/** The keys are of no company. */
export const OF_INSTALLATION = 0

/** Sealed; null before the first. */
export async function sealedKeys(sql: Sql): Promise<typeof pushKeys.$inferSelect | null> {
  const [row] = await sql.select().from(pushKeys).where(eq(pushKeys.companyId, OF_INSTALLATION))
  return row ?? null
}

/** The first ones stay: of two that are made at once, those of the earlier commit. */
export const keepKeys = (sql: Sql, keys: { publicKey: string; privateKey: string }) =>
  sql
    .insert(pushKeys)
    .values({ companyId: OF_INSTALLATION, ...keys })
    .onConflictDoNothing()

export type DeviceRow = typeof subscriptions.$inferSelect
type Subscribed = Pick<DeviceRow, 'userId' | 'sessionId' | 'device' | 'language'> & {
  input: PushSubscriptionInput
}

/** Ends what another user, or another company, registered under the address. By the platform: no company sees another's. */
export const dropForeign = (sql: Sql, endpoint: string, companyId: number, userId: number) =>
  sql
    .delete(subscriptions)
    .where(
      and(
        eq(subscriptions.endpoint, endpoint),
        not(and(eq(subscriptions.companyId, companyId), eq(subscriptions.userId, userId))!),
      ),
    )

export async function putDevice(tx: Tx, { input, ...fields }: Subscribed): Promise<DeviceRow> {
  const values = { ...fields, p256dh: input.keys.p256dh, auth: input.keys.auth }
  const [row] = await tx.sql
    .insert(subscriptions)
    .values({ ...values, companyId: tx.companyId, endpoint: input.endpoint })
    .onConflictDoUpdate({ target: subscriptions.endpoint, set: values })
    .returning()
  return row!
}

/** Of the devices of a user those beyond so many go, the one that was registered first before the others. */
export const dropOldest = (tx: Tx, userId: number, most: number) =>
  tx.sql.delete(subscriptions).where(
    and(
      ofUser(tx, userId),
      tag`${subscriptions.id} <= (select beyond.id from push_subscriptions beyond
        where beyond.company_id = ${tx.companyId} and beyond.user_id = ${userId}
        order by beyond.id desc offset ${most} limit 1)`,
    ),
  )

export const devicesOf = (tx: Tx, userId: number): Promise<DeviceRow[]> =>
  tx.sql.select().from(subscriptions).where(ofUser(tx, userId)).orderBy(desc(subscriptions.id))

export const pushDeviceOf = (
  { id, device, endpoint, sessionId, createdAt }: DeviceRow,
  session: string | null,
): PushDevice => ({
  ...{ id, device, createdAt },
  endpointHost: new URL(endpoint).host,
  isThis: sessionId === session,
})

/** Answers whether there was one. */
export async function dropDevice(
  tx: Tx,
  userId: number,
  which: { endpoint: string } | { id: number },
): Promise<boolean> {
  const named = 'id' in which ? eq(subscriptions.id, which.id) : eq(subscriptions.endpoint, which.endpoint)
  const gone = await tx.sql
    .delete(subscriptions)
    .where(and(ofUser(tx, userId), named))
    .returning({ id: subscriptions.id })
  return gone.length > 0
}

/** The device with its session, where that has not expired; null otherwise. */
export async function livingDevice(tx: Tx, subscriptionId: number): Promise<DeviceRow | null> {
  const [row] = await tx.sql
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.companyId, tx.companyId),
        eq(subscriptions.id, subscriptionId),
        tag`exists (select from sessions s where s.company_id = ${subscriptions.companyId}
          and s.id = ${subscriptions.sessionId} and s.user_id = ${subscriptions.userId} and s.expires_at > now())`,
      ),
    )
  return row ?? null
}

export const endDevice = (tx: Tx, subscriptionId: number) =>
  tx.sql
    .delete(subscriptions)
    .where(and(eq(subscriptions.companyId, tx.companyId), eq(subscriptions.id, subscriptionId)))

/** The companies that have devices. */
export const companiesWithDevices = (sql: Sql) =>
  sql
    .selectDistinct({ companyId: subscriptions.companyId })
    .from(subscriptions)
    .orderBy(asc(subscriptions.companyId))

const USUAL: PushSettings = { mine: true, queues: true, mentions: true, quietFrom: null, quietTo: null }

export async function pushSettingsOf(tx: Tx, userId: number): Promise<PushSettings> {
  const [row] = await tx.sql.select().from(pushSettings).where(ofSettings(tx, userId))
  return row ? settingsIn(row) : USUAL
}

/** Locked until the end of the transaction: of two changes at once, as of two switches, neither undoes the other. */
export async function lockPushSettings(tx: Tx, userId: number): Promise<PushSettings> {
  await tx.sql
    .insert(pushSettings)
    .values({ ...USUAL, companyId: tx.companyId, userId })
    .onConflictDoNothing()
  const [row] = await tx.sql.select().from(pushSettings).where(ofSettings(tx, userId)).for('update')
  return row ? settingsIn(row) : USUAL
}

const settingsIn = ({ mine, queues, mentions, quietFrom, quietTo }: typeof pushSettings.$inferSelect) => ({
  ...{ mine, queues, mentions, quietFrom, quietTo },
})

export const putSettings = (tx: Tx, userId: number, values: PushSettings) =>
  tx.sql.update(pushSettings).set(values).where(ofSettings(tx, userId))

/** Whether it is quiet for the user now, by the company's clock; quiet hours may go over midnight. */
export async function isQuietFor(tx: Tx, userId: number): Promise<boolean> {
  const { quietFrom: from, quietTo: to } = pushSettings
  const [row] = await tx.sql
    .select({
      isQuiet: tag<boolean>`case when ${from} is null or ${to} is null then false
        when ${from} < ${to} then here.at >= ${from} and here.at < ${to}
        else here.at >= ${from} or here.at < ${to} end`,
    })
    .from(pushSettings)
    .crossJoin(tag`(select to_char(now() at time zone ${zoneOf(tx)}, 'HH24:MI') as at) here`)
    .where(ofSettings(tx, userId))
  return row?.isQuiet ?? false
}

const ofUser = (tx: Tx, userId: number) =>
  and(eq(subscriptions.companyId, tx.companyId), eq(subscriptions.userId, userId))
const ofSettings = (tx: Tx, userId: number) =>
  and(eq(pushSettings.companyId, tx.companyId), eq(pushSettings.userId, userId))
