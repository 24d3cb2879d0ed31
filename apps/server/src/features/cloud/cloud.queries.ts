import { cut } from '@balcao/contract/cut.rules.ts'
import { databaseTime } from '../../platform/clock.ts'
import { externalIdOf } from '../../platform/external.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, prepared } from '../../platform/postgres/prepared.ts'
import {
  and,
  asc,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNull,
  lt,
  ne,
  or,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { lifetime } from '../../platform/work/retention.ts'
import { whatsappCloud, whatsappLeases } from '../connections/connections.table.ts'
import { cloudDeliveries, cloudPrices, cloudSent } from './cloud.table.ts'

/** The connection whose webhook address ends in this key, of any company; its secrets are sealed. Undefined when there is none. */
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

/** Connections of the company with these numbers or accounts: one app of Meta's may post for several at one address. */
export const ownersOfNumbers = (tx: Tx, phoneNumberIds: string[], accountIds: string[]) =>
  tx.sql
    .select({ whatsappId: whatsappCloud.whatsappId, appSecret: whatsappCloud.appSecret })
    .from(whatsappCloud)
    .where(
      and(
        eq(whatsappCloud.companyId, tx.companyId),
        or(
          inArray(whatsappCloud.phoneNumberId, phoneNumberIds),
          inArray(whatsappCloud.businessAccountId, accountIds),
        ),
      ),
    )

/** Connections of any company, by the sign-up, with these numbers or accounts; their secrets are sealed. */
export const signedUpOwners = (sql: Sql, phoneNumberIds: string[], accountIds: string[]) =>
  sql
    .select({
      companyId: whatsappCloud.companyId,
      whatsappId: whatsappCloud.whatsappId,
      appSecret: whatsappCloud.appSecret,
      phoneNumberId: whatsappCloud.phoneNumberId,
      businessAccountId: whatsappCloud.businessAccountId,
    })
    .from(whatsappCloud)
    .where(
      and(
        ne(whatsappCloud.signUp, ''),
        or(
          inArray(whatsappCloud.phoneNumberId, phoneNumberIds),
          inArray(whatsappCloud.businessAccountId, accountIds),
        ),
      ),
    )

/** The connections of the company by their numbers at Meta. */
export async function connectionsOfNumbers(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.sql
    .select({ whatsappId: whatsappCloud.whatsappId, phoneNumberId: whatsappCloud.phoneNumberId })
    .from(whatsappCloud)
    .where(eq(whatsappCloud.companyId, tx.companyId))
  return new Map(rows.map(row => [row.phoneNumberId, row.whatsappId]))
}

/** Those of these numbers that have a connection, of any company. */
export async function numbersInUse(sql: Sql, phoneNumberIds: string[]): Promise<Set<string>> {
  const rows = await sql
    .select({ phoneNumberId: whatsappCloud.phoneNumberId })
    .from(whatsappCloud)
    .where(inArray(whatsappCloud.phoneNumberId, phoneNumberIds))
  return new Set(rows.map(({ phoneNumberId }) => phoneNumberId))
}

type NewDelivery = Omit<typeof cloudDeliveries.$inferInsert, 'companyId'>

/** Inserts deliveries; those with the same digest are there already. */
export const insertDeliveries = (tx: Tx, rows: NewDelivery[]) =>
  tx.sql
    .insert(cloudDeliveries)
    .values(rows.map(row => ({ ...row, companyId: tx.companyId })))
    .onConflictDoNothing()

/** Bytes of one batch: a part of a history has some megabytes. */
const MOST_BYTES = 8 * 1_048_576

/** Deliveries that are not processed yet, oldest first: so many at most, and none beyond the first few megabytes. */
export const waitingDeliveries = (tx: Tx, whatsappId: number, limit: number) => {
  const next = tx.sql
    .select({
      id: cloudDeliveries.id,
      before: tag<number>`sum(octet_length(${cloudDeliveries.body})) over (order by ${cloudDeliveries.id})
        - octet_length(${cloudDeliveries.body})`.as('before'),
    })
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
    .as('next')
  return tx.sql
    .select({ id: cloudDeliveries.id, body: cloudDeliveries.body, receivedAt: cloudDeliveries.receivedAt })
    .from(next)
    .innerJoin(
      cloudDeliveries,
      and(eq(cloudDeliveries.companyId, tx.companyId), eq(cloudDeliveries.id, next.id)),
    )
    .where(lt(next.before, MOST_BYTES))
    .orderBy(asc(cloudDeliveries.id))
}

/** The connections that a process runs, of all companies, for which deliveries wait. */
export async function connectionsWithDeliveries(sql: Sql, owner: string): Promise<number[]> {
  const rows = await withDeliveries(sql, { owner })
  return rows.map(({ whatsappId }) => whatsappId)
}

const withDeliveries = prepared(sql =>
  sql
    .select({ whatsappId: whatsappLeases.whatsappId })
    .from(whatsappLeases)
    .where(
      and(
        eq(whatsappLeases.owner, given('owner')),
        exists(
          sql
            .select({ one: tag`1` })
            .from(cloudDeliveries)
            .where(
              and(
                eq(cloudDeliveries.companyId, whatsappLeases.companyId),
                eq(cloudDeliveries.whatsappId, whatsappLeases.whatsappId),
                isNull(cloudDeliveries.handledAt),
              ),
            ),
        ),
      ),
    ),
)

export type SentRow = typeof cloudSent.$inferSelect & { askedMsAgo: number }

/** Our messages with any of these ids, Meta's or ours. */
export async function sentUnder(
  tx: Tx,
  whatsappId: number,
  names: { wamids?: string[]; externalIds?: string[] },
): Promise<SentRow[]> {
  const { wamids = [], externalIds = [] } = names
  if (wamids.length + externalIds.length === 0) return []
  return tx.sql
    .select({
      ...getTableColumns(cloudSent),
      askedMsAgo: tag<number>`(extract(epoch from now() - ${cloudSent.askedAt}) * 1000)::float8`,
    })
    .from(cloudSent)
    .where(
      and(
        eq(cloudSent.companyId, tx.companyId),
        eq(cloudSent.whatsappId, whatsappId),
        or(
          wamids.length > 0 ? inArray(cloudSent.wamid, wamids.map(externalIdOf)) : undefined,
          externalIds.length > 0 ? inArray(cloudSent.externalId, externalIds.map(externalIdOf)) : undefined,
        ),
      ),
    )
}

/** Marks deliveries as processed; `strange` holds, by id, what could not be translated. */
export async function settleDeliveries(tx: Tx, ids: number[], strange: Map<number, string>): Promise<void> {
  const handled = { handledAt: databaseTime() }
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
      .set({ ...handled, strange: cut(what, 20_000) })
      .where(and(own, eq(cloudDeliveries.id, id)))
}

/** Before a message is sent: from now on it may have arrived, until its outcome is known. */
export async function markAsked(tx: Tx, whatsappId: number, id: string): Promise<void> {
  const asked = { askedAt: tag`clock_timestamp()`, wamid: null }
  await tx.sql
    .insert(cloudSent)
    .values({ companyId: tx.companyId, whatsappId, externalId: externalIdOf(id), ...asked })
    .onConflictDoUpdate({
      target: [cloudSent.companyId, cloudSent.whatsappId, cloudSent.externalId],
      set: asked,
    })
}

/** The message was certainly not sent. */
export const unmark = (tx: Tx, whatsappId: number, id: string): Promise<unknown> =>
  tx.sql
    .delete(cloudSent)
    .where(
      and(
        eq(cloudSent.companyId, tx.companyId),
        eq(cloudSent.whatsappId, whatsappId),
        eq(cloudSent.externalId, externalIdOf(id)),
        tag`${cloudSent.wamid} is null`,
      ),
    )

/** Meta's ids of our messages, from an answer or from a status that came before it. */
export async function learnNames(
  tx: Tx,
  whatsappId: number,
  named: { externalId: string; wamid: string }[],
): Promise<void> {
  const ids = named.map(one => ({ externalId: externalIdOf(one.externalId), wamid: externalIdOf(one.wamid) }))
  const rows = [...new Map(ids.map(one => [one.externalId, one])).values()]
  if (rows.length === 0) return
  await tx.sql
    .insert(cloudSent)
    .values(rows.map(one => ({ ...one, companyId: tx.companyId, whatsappId })))
    .onConflictDoUpdate({
      target: [cloudSent.companyId, cloudSent.whatsappId, cloudSent.externalId],
      set: { wamid: tag`excluded.wamid` },
      setWhere: tag`${cloudSent.wamid} is null`,
    })
}

/** Meta repeats a delivery for seven days at most. What could not be translated is kept for 90 days. */
export const deleteOldDeliveries = (sql: Sql) =>
  sql
    .delete(cloudDeliveries)
    .where(
      and(
        lt(cloudDeliveries.receivedAt, tag`now() - interval '8 days'`),
        tag`${cloudDeliveries.handledAt} is not null`,
        tag`(${cloudDeliveries.strange} = '' or ${cloudDeliveries.receivedAt} < now() - interval '90 days')`,
      ),
    )

/** Deletes what Meta posted of a forgotten contact. What is not processed yet stays: it creates the contact again. */
export async function deletePostsOf(tx: Tx, addresses: string[]): Promise<void> {
  await tx.sql.execute(tag`
    delete from ${cloudDeliveries} d using json_array_elements_text(${JSON.stringify(addresses)}::json) as address
    where d.company_id = ${tx.companyId} and d.handled_at is not null and position(address in d.body) > 0`)
}

/** How long a customer may quote our message, or react to it, and it is found. */
export const lifetimes = [
  lifetime(cloudSent, cloudSent.askedAt, 365),
  // what the report of a month compares with the same month a year ago
  lifetime(cloudPrices, cloudPrices.createdAt, 400),
]
