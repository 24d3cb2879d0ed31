import type { Queue } from '@balcao/contract/queues.ts'
import { refuse } from '../../platform/errors.ts'
import { and, eq, inArray, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { queues } from './queues.table.ts'

export async function selectQueues(tx: Tx, where?: SQL): Promise<Queue[]> {
  const rows = await tx.sql
    .select()
    .from(queues)
    .where(and(eq(queues.companyId, tx.companyId), where))
    .orderBy(tag`folded(${queues.name})`, queues.id)
  return rows.map(({ companyId: _company, ...queue }) => queue)
}

/** Refuses with ERR_NO_QUEUE_FOUND. */
export async function findQueue(tx: Tx, queueId: number): Promise<Queue> {
  const [queue] = await selectQueues(tx, eq(queues.id, queueId))
  return queue ?? refuse('ERR_NO_QUEUE_FOUND')
}

/** Checks that ids of a client are queues of the company (ERR_NO_QUEUE_FOUND). Returns them without duplicates. */
export async function knownQueues(tx: Tx, queueIds: number[], field = 'queueIds'): Promise<number[]> {
  const wanted = [...new Set(queueIds)]
  const known = wanted.length > 0 ? await selectQueues(tx, inArray(queues.id, wanted)) : []
  return known.length === wanted.length ? wanted : refuse('ERR_NO_QUEUE_FOUND', { field })
}

export async function holdQueues(tx: Tx, queueIds: number[], field?: string): Promise<number[]> {
  await holdQueuesOrNone(tx, queueIds)
  return knownQueues(tx, queueIds, field)
}

/** The existing ones of these ids, locked against deletion. */
export async function holdQueuesOrNone(tx: Tx, queueIds: number[]): Promise<number[]> {
  const held = await tx.sql
    .select({ id: queues.id })
    .from(queues)
    .where(and(eq(queues.companyId, tx.companyId), inArray(queues.id, queueIds)))
    .orderBy(queues.id)
    .for('key share')
  return held.map(({ id }) => id)
}

type Columns = typeof queues.$inferInsert

export async function insertQueue(tx: Tx, fields: Omit<Columns, 'companyId'>): Promise<number> {
  const [row] = await tx.sql
    .insert(queues)
    .values({ ...fields, companyId: tx.companyId })
    .returning({ id: queues.id })
  return row!.id
}

export const updateQueue = (tx: Tx, queueId: number, fields: Partial<Columns>) =>
  tx.sql.update(queues).set(fields).where(byId(tx, queueId))

export const deleteQueue = (tx: Tx, queueId: number) => tx.sql.delete(queues).where(byId(tx, queueId))

/** Locked before a deletion, so that no ticket is moved into it concurrently. Refuses with ERR_NO_QUEUE_FOUND. */
export async function lockQueue(tx: Tx, queueId: number) {
  const [row] = await tx.sql.select({ id: queues.id }).from(queues).where(byId(tx, queueId)).for('update')
  return row ?? refuse('ERR_NO_QUEUE_FOUND')
}

const byId = (tx: Tx, queueId: number) => and(eq(queues.companyId, tx.companyId), eq(queues.id, queueId))
