import { IMPORTING } from '@balcao/contract/imports.ts'
import type { Heard } from '../../driver.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, asc, eq, inArray, rowsFrom, sql as tag } from '../../platform/sql.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { messages } from '../messages/messages.table.ts'
import { importMessages, imports } from './imports.table.ts'

export type OldMessage = Extract<Heard, { kind: 'message' }>

/** What of the past a connection wants; null when nothing, or when it has been had. */
export interface ImportWindow {
  from: string
  until: string
  groups: boolean
}

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
  return { from: row.from, until: row.until ?? new Date().toISOString(), groups: row.groups }
}

/** Writes down what is not there yet, neither here nor taken in. Answers how many were new. */
export async function writeDown(tx: Tx, whatsappId: number, old: OldMessage[]): Promise<number> {
  if (old.length === 0) return 0
  const rows = old.map(heard => ({
    companyId: tx.companyId,
    whatsappId,
    key: `${heard.fromMe ? 1 : 0} ${heard.externalId}`,
    heard: JSON.stringify(heard),
  }))
  const added = await tx.sql
    .insert(importMessages)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: importMessages.id })
  return added.length - (await dropKnown(tx, added))
}

/** Phones hand a message over more than once: what was taken in by now need not be taken in, or counted, again. */
async function dropKnown(tx: Tx, added: { id: number }[]): Promise<number> {
  if (added.length === 0) return 0
  const rows = await rowsFrom<unknown>(
    tx.sql,
    tag`
    delete from ${importMessages} i using ${messages} m
    where i.company_id = ${tx.companyId} and i.id = any(${`{${added.map(({ id }) => id)}}`}::bigint[])
      and m.company_id = i.company_id and m.whatsapp_id = i.whatsapp_id
      and m.external_id = substr(i.key, 3) and m.from_me = (left(i.key, 1) = '1')
    returning i.id`,
  )
  return rows.length
}

/** Takes the oldest rows out; a rolled back transaction puts them back. */
export async function dequeueStaged(tx: Tx, whatsappId: number, limit: number) {
  const next = tx.sql
    .select({ id: importMessages.id })
    .from(importMessages)
    .where(and(eq(importMessages.companyId, tx.companyId), eq(importMessages.whatsappId, whatsappId)))
    .orderBy(asc(importMessages.id))
    .limit(limit)
  const rows = await tx.sql
    .delete(importMessages)
    .where(and(eq(importMessages.companyId, tx.companyId), inArray(importMessages.id, next)))
    .returning({ id: importMessages.id, heard: importMessages.heard })
  return rows
    .sort((a, b) => a.id - b.id)
    .map(row => ({ nth: row.id, heard: JSON.parse(row.heard) as OldMessage }))
}

export const isWaiting = async (tx: Tx, whatsappId: number): Promise<boolean> => {
  const rows = await tx.sql
    .select({ id: importMessages.id })
    .from(importMessages)
    .where(and(eq(importMessages.companyId, tx.companyId), eq(importMessages.whatsappId, whatsappId)))
    .limit(1)
  return rows.length > 0
}

/** Moves the count of a connection and answers how it stands then. */
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

/** One at a time takes in what waits on a connection, across processes, until the transaction ends. */
export const lockImport = (tx: Tx, whatsappId: number) =>
  tx.sql.execute(tag`select pg_advisory_xact_lock(hashtext('import'), ${whatsappId})`)

export const isImporting = async (tx: Tx, whatsappId: number) => {
  const [row] = await tx.sql
    .select({ status: whatsapps.statusImportMessages })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
  return row?.status === IMPORTING
}
