import type { Queue } from '@balcao/contract/queues.ts'
import { refuse } from '../../platform/errors.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, type SQL, sql as tag } from '../../platform/sql.ts'
import { queues } from './queues.table.ts'

/** Queues of the company by name. */
export async function selectQueues(tx: Tx, where?: SQL): Promise<Queue[]> {
  const rows = await tx.sql
    .select()
    .from(queues)
    .where(and(eq(queues.companyId, tx.companyId), where))
    .orderBy(tag`lower(${queues.name})`, queues.id)
  return rows.map(({ companyId: _company, ...queue }) => queue)
}

/** Refuses with ERR_NO_QUEUE_FOUND. */
export async function findQueue(tx: Tx, queueId: number): Promise<Queue> {
  const [queue] = await selectQueues(tx, eq(queues.id, queueId))
  return queue ?? refuse('ERR_NO_QUEUE_FOUND')
}

/** Ids a client names must all be queues of this company, or ERR_NO_QUEUE_FOUND. Answers them without doubles. */
export async function knownQueues(tx: Tx, queueIds: number[]): Promise<number[]> {
  const wanted = [...new Set(queueIds)]
  const known = wanted.length > 0 ? await selectQueues(tx, inArray(queues.id, wanted)) : []
  return known.length === wanted.length ? wanted : refuse('ERR_NO_QUEUE_FOUND', { field: 'queueIds' })
}

/** The same, and they stay until the transaction ends: who deletes one of them waits. */
export async function holdQueues(tx: Tx, queueIds: number[]): Promise<number[]> {
  await tx.sql
    .select({ id: queues.id })
    .from(queues)
    .where(and(eq(queues.companyId, tx.companyId), inArray(queues.id, queueIds)))
    .orderBy(queues.id)
    .for('key share')
  return knownQueues(tx, queueIds)
}
