import { IMPORTING } from '@balcao/contract/imports.ts'
import type { OldMessage } from '../../driver.ts'
import { databaseTime } from '../../platform/clock.ts'
import { type ExternalId, externalIdOf, externalKeyOf } from '../../platform/external.ts'
import {
  and,
  asc,
  eq,
  inArray,
  rowsFrom,
  type SQL,
  type SQLWrapper,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { PLACEHOLDER } from '../messages/history/imported.queries.ts'
import { messages } from '../messages/messages.table.ts'
import type { ImportWindow } from './imports.rules.ts'
import { importMessages, imports } from './imports.table.ts'

export async function wantedHistory(tx: Tx, whatsappId: number): Promise<ImportWindow | null> {
  const [row] = await tx.sql
    .select({
      from: whatsapps.importOldMessages,
      until: whatsapps.importRecentMessages,
      groups: whatsapps.importOldMessagesGroups,
    })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  if (!row?.from) return null
  return { from: row.from, until: row.until ?? databaseTime(), groups: row.groups }
}

/** Stages messages that are neither staged nor imported, and files of those that came without. Returns how many. */
export async function writeDown(tx: Tx, whatsappId: number, old: OldMessage[]): Promise<number> {
  if (old.length === 0) return 0
  const byKey = new Map<ExternalId, OldMessage>()
  for (const message of old) {
    const key = externalKeyOf(`${message.fromMe ? 1 : 0} ${externalIdOf(message.externalId)}`)
    if (byKey.get(key)?.mediaType !== PLACEHOLDER && byKey.has(key)) continue
    byKey.set(key, message)
  }
  const rows = [...byKey].map(([key, message]) => ({
    companyId: tx.companyId,
    whatsappId,
    key,
    heard: JSON.stringify(message),
  }))
  const added = await tx.sql
    .insert(importMessages)
    .values(rows)
    .onConflictDoUpdate({
      target: [importMessages.companyId, importMessages.whatsappId, importMessages.key],
      set: { heard: tag`excluded.heard` },
      setWhere: tag`${isPlaceholder(importMessages.heard)} and not ${isPlaceholder(tag`excluded.heard`)}`,
    })
    // of a staged one that was completed xmax is set: it is counted already
    .returning({ id: importMessages.id, isNew: tag<boolean>`${importMessages}.xmax = 0` })
  const fresh = added.filter(({ isNew }) => isNew)
  return fresh.length - (await dropKnown(tx, fresh))
}

const isPlaceholder = (heard: SQLWrapper) =>
  tag`(${heard}::json ->> 'mediaType') is not distinct from ${PLACEHOLDER}`

/** Phones send a message more than once: removes those that were imported already. */
async function dropKnown(tx: Tx, added: { id: number }[]): Promise<number> {
  if (added.length === 0) return 0
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`
    delete from ${importMessages} i using ${messages} m
    where i.company_id = ${tx.companyId} and i.id = any(${`{${added.map(({ id }) => id)}}`}::bigint[])
      and m.company_id = i.company_id and m.whatsapp_id = i.whatsapp_id
      and m.external_id = substr(i.key, 3) and m.from_me = (left(i.key, 1) = '1')
      and (m.media_type is distinct from ${PLACEHOLDER} or ${isPlaceholder(tag`i.heard`)})
    returning i.id`,
  )
  return rows.length
}

/**
 * Deletes and returns the oldest rows; a rollback restores them. What was sent to lists of recipients comes after all the rest:
 * it is for those who are known by then.
 */
export async function dequeueStaged(tx: Tx, whatsappId: number, limit: number) {
  const others = await dequeueOldest(tx, whatsappId, tag`not ${isToList}`, limit)
  if (others.length === limit) return others
  const isWhole = tag`exists (select from ${imports} s where s.company_id = ${tx.companyId} and s.whatsapp_id = ${whatsappId}
    and s.is_whole)`
  return [
    ...others,
    ...(await dequeueOldest(tx, whatsappId, tag`${isToList} and ${isWhole}`, limit - others.length)),
  ]
}

const isToList = tag`coalesce((${importMessages.heard}::json ->> 'isToList')::boolean, false)`

async function dequeueOldest(tx: Tx, whatsappId: number, those: SQL, limit: number) {
  const next = tx.sql
    .select({ id: importMessages.id })
    .from(importMessages)
    .where(and(eq(importMessages.companyId, tx.companyId), eq(importMessages.whatsappId, whatsappId), those))
    .orderBy(asc(importMessages.id))
    .limit(limit)
  const rows = await tx.sql
    .delete(importMessages)
    .where(and(eq(importMessages.companyId, tx.companyId), inArray(importMessages.id, next)))
    .returning({ id: importMessages.id, heard: importMessages.heard })
  return rows
    .sort((a, b) => a.id - b.id)
    .map(row => ({ nth: row.id, message: JSON.parse(row.heard) as OldMessage }))
}

export const hasStaged = async (tx: Tx, whatsappId: number): Promise<boolean> => {
  const rows = await tx.sql
    .select({ id: importMessages.id })
    .from(importMessages)
    .where(and(eq(importMessages.companyId, tx.companyId), eq(importMessages.whatsappId, whatsappId)))
    .limit(1)
  return rows.length > 0
}

/** Adds to the counts of an import. Returns the new row. */
export async function advance(
  tx: Tx,
  whatsappId: number,
  by: { total?: number; done?: number; isWhole?: boolean },
) {
  const { total = 0, done = 0, isWhole } = by
  const [row] = await tx.sql
    .insert(imports)
    .values({ companyId: tx.companyId, whatsappId, total, done, isWhole: isWhole ?? false })
    .onConflictDoUpdate({
      target: [imports.companyId, imports.whatsappId],
      set: {
        total: tag`${imports.total} + ${total}`,
        done: tag`${imports.done} + ${done}`,
        ...(isWhole !== undefined && { isWhole }),
      },
    })
    .returning()
  return row!
}

/** Advisory lock: one transaction at a time imports into a connection. */
export const lockImport = (tx: Tx, whatsappId: number) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('import'), ${whatsappId})`)

export const isImporting = async (tx: Tx, whatsappId: number) => {
  const [row] = await tx.sql
    .select({ status: whatsapps.statusImportMessages })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row?.status === IMPORTING
}

/** Deletes staged messages of a deleted contact. Returns of which connections. */
export async function forgetStaged(tx: Tx, addresses: string[]): Promise<number[]> {
  const gone = await rowsFrom<{ whatsappId: number }>(
    tx.sql,
    tag`delete from ${importMessages} where company_id = ${tx.companyId}
        and (heard::json #>> '{chat,value}') in (select json_array_elements_text(${JSON.stringify(addresses)}::json))
      returning whatsapp_id as "whatsappId"`,
  )
  const byConnection = Map.groupBy(gone, ({ whatsappId }) => whatsappId)
  for (const [whatsappId, rows] of byConnection) await advance(tx, whatsappId, { done: rows.length })
  return [...byConnection.keys()]
}
