import type { Queue, QueueInput } from '@balcao/contract/queues.ts'
import type { z } from 'zod'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { queueChanged, queueLeaving, queueRemoved } from './queues.events.ts'
import { findQueue } from './queues.queries.ts'
import { queues } from './queues.table.ts'

type Input = z.output<typeof QueueInput>

/** Adds a queue. Refuses with ERR_NAME_EXISTS, ERR_QUEUE_COLOR_ALREADY_EXISTS. */
export const addQueue = (scope: Scope, { greetingMessage, ...given }: Input): Promise<Queue> =>
  orTaken(
    scope.transaction(async tx => {
      const [row] = await tx.sql
        .insert(queues)
        .values({ ...given, companyId: tx.companyId, greetingMessage: greetingMessage ?? '' })
        .returning({ id: queues.id })
      return emitChanged(tx, row!.id, true)
    }),
  )

/** Changes a queue. Refuses with ERR_NO_QUEUE_FOUND and what `addQueue` refuses. */
export const changeQueue = (scope: Scope, queueId: number, input: Partial<Input>): Promise<Queue> =>
  orTaken(
    scope.transaction(async tx => {
      const before = await findQueue(tx, queueId)
      const { greetingMessage, ...given } = input
      const changed = {
        ...given,
        ...(greetingMessage !== undefined && { greetingMessage: greetingMessage ?? '' }),
      }
      await tx.sql
        .update(queues)
        .set({ ...before, ...changed })
        .where(own(tx, queueId))
      return emitChanged(tx, queueId, false)
    }),
  )

/**
 * Removes a queue; users and connections lose it, its tickets stay without one (OP-70). The tickets let go in
 * this same transaction: until then their foreign key would refuse the deletion, and a reaction after the commit
 * could be lost with the process. Refuses with ERR_NO_QUEUE_FOUND.
 */
export const removeQueue = (scope: Scope, queueId: number) =>
  scope.transaction(async tx => {
    await lockQueue(tx, queueId)
    await tx.involve(queueLeaving, { queueId })
    await tx.sql.delete(queues).where(own(tx, queueId))
    tx.emit(queueRemoved, { queueId })
  })

const own = (tx: Tx, queueId: number) => and(eq(queues.companyId, tx.companyId), eq(queues.id, queueId))

/** Locked first: no ticket can be moved into the queue while those in it are moved out. */
async function lockQueue(tx: Tx, queueId: number) {
  const [row] = await tx.sql.select({ id: queues.id }).from(queues).where(own(tx, queueId)).for('update')
  return row ?? refuse('ERR_NO_QUEUE_FOUND')
}

async function emitChanged(tx: Tx, queueId: number, created: boolean) {
  const queue = await findQueue(tx, queueId)
  tx.emit(queueChanged, { queue, created })
  await tx.involve(queueChanged, { queue, created })
  return queue
}

const orTaken = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'queues_name')) return refuse('ERR_NAME_EXISTS', { field: 'name' })
    if (isUniqueViolation(error, 'queues_color'))
      return refuse('ERR_QUEUE_COLOR_ALREADY_EXISTS', { field: 'color' })
    throw error
  })
