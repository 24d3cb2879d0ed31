import { databaseTime } from '../../platform/clock.ts'
import { and, eq, ne } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { deleteCloud } from './connections.cloud.queries.ts'
import { whatsappKeys, whatsappLeases, whatsappQueues, whatsapps } from './connections.table.ts'

type Columns = typeof whatsapps.$inferInsert

export async function insertConnection(tx: Tx, columns: Omit<Columns, 'companyId'>): Promise<number> {
  const [row] = await tx.sql
    .insert(whatsapps)
    .values({ ...columns, companyId: tx.companyId })
    .returning({ id: whatsapps.id })
  return row!.id
}

export const updateConnection = (tx: Tx, whatsappId: number, columns: Partial<Columns>) =>
  tx.sql
    .update(whatsapps)
    .set({ ...columns, updatedAt: databaseTime() })
    .where(byId(tx, whatsappId))

export const deleteConnection = (tx: Tx, whatsappId: number) =>
  tx.sql.delete(whatsapps).where(byId(tx, whatsappId))

/** Deletes what is of another network: keys, the lease, so that the connection is claimed again, and Cloud settings. */
export async function deleteNetwork(tx: Tx, whatsappId: number) {
  for (const table of [whatsappKeys, whatsappLeases])
    await tx.sql.delete(table).where(and(eq(table.companyId, tx.companyId), eq(table.whatsappId, whatsappId)))
  await deleteCloud(tx, whatsappId)
}

export async function setImportStatus(tx: Tx, whatsappId: number, status: string): Promise<boolean> {
  const changed = await tx.sql
    .update(whatsapps)
    .set({ statusImportMessages: status })
    .where(and(byId(tx, whatsappId), ne(whatsapps.statusImportMessages, status)))
    .returning({ id: whatsapps.id })
  return changed.length > 0
}

export async function setConnectionQueues(tx: Tx, whatsappId: number, queueIds: number[]) {
  await tx.sql
    .delete(whatsappQueues)
    .where(and(eq(whatsappQueues.companyId, tx.companyId), eq(whatsappQueues.whatsappId, whatsappId)))
  const rows = queueIds.map(queueId => ({ companyId: tx.companyId, whatsappId, queueId }))
  if (rows.length > 0) await tx.sql.insert(whatsappQueues).values(rows)
}

export async function removeQueueFromConnections(tx: Tx, queueId: number): Promise<number[]> {
  const rows = await tx.sql
    .delete(whatsappQueues)
    .where(and(eq(whatsappQueues.companyId, tx.companyId), eq(whatsappQueues.queueId, queueId)))
    .returning({ id: whatsappQueues.whatsappId })
  return rows.map(({ id }) => id)
}

const byId = (tx: Tx, whatsappId: number) =>
  and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId))
