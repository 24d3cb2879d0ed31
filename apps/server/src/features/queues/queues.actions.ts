import { isOtherHours } from '@balcao/contract/businessHours.rules.ts'
import type { Queue, QueueInput } from '@balcao/contract/queues.ts'
import type { z } from 'zod'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { refuseUsed } from '../../platform/uses.ts'
import { removeInPieces } from '../../platform/work/removal.ts'
import { hoursChanged } from '../businessHours/businessHours.events.ts'
import { keepZone } from '../businessHours/businessHours.queries.ts'
import { queueChanged, queueEmptying, queueLeaving, queueRemoved } from './queues.events.ts'
import { deleteQueue, findQueue, insertQueue, lockQueue, updateQueue } from './queues.queries.ts'

type Input = z.output<typeof QueueInput>

/** Adds a queue. Refuses with ERR_NAME_EXISTS, ERR_QUEUE_COLOR_ALREADY_EXISTS. */
export const addQueue = (scope: Scope, { name, color, ...texts }: Input): Promise<Queue> =>
  orExists(
    scope.transaction(async tx => {
      const queueId = await insertQueue(tx, { name, color, ...columnsOf(texts) })
      if (texts.hours) await keepZone(tx)
      return emitChanged(tx, queueId, { created: true })
    }),
  )

export const changeQueue = (scope: Scope, queueId: number, input: Partial<Input>): Promise<Queue> =>
  orExists(
    scope.transaction(async tx => {
      const before = await findQueue(tx, queueId)
      await updateQueue(tx, queueId, { ...before, ...columnsOf(input) })
      if (input.hours) await keepZone(tx)
      if (isOtherHours(before, input)) await tx.involve(hoursChanged, { queueId })
      return emitChanged(tx, queueId, { created: false })
    }),
  )

/**
 * Deletes a queue; users and connections lose it, its tickets stay without a queue (OP-70), some a commit (`removeInPieces`).
 * Refuses with ERR_NO_QUEUE_FOUND.
 */
export const removeQueue = (scope: Scope, queueId: number, evenIfUsed: boolean): Promise<void> =>
  removeInPieces(scope, async (tx, most) => {
    await lockQueue(tx, queueId)
    await refuseUsed(tx, 'queue', queueId, evenIfUsed)
    const taken = { rows: 0 }
    await tx.involve(queueEmptying, { queueId, most, taken })
    if (taken.rows > 0) return true
    await tx.involve(queueLeaving, { queueId })
    await deleteQueue(tx, queueId)
    tx.emit(queueRemoved, { queueId })
    return false
  })

/** A text that is null is emptied. */
const columnsOf = ({ greetingMessage, outOfHoursMessage, ...given }: Partial<Input>) => ({
  ...given,
  ...(greetingMessage !== undefined && { greetingMessage: greetingMessage ?? '' }),
  ...(outOfHoursMessage !== undefined && { outOfHoursMessage: outOfHoursMessage ?? '' }),
})

async function emitChanged(tx: Tx, queueId: number, { created }: { created: boolean }) {
  const queue = await findQueue(tx, queueId)
  tx.emit(queueChanged, { queue, created })
  await tx.involve(queueChanged, { queue, created })
  return queue
}

const orExists = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'queues_name')) return refuse('ERR_NAME_EXISTS', { field: 'name' })
    if (isUniqueViolation(error, 'queues_color'))
      return refuse('ERR_QUEUE_COLOR_ALREADY_EXISTS', { field: 'color' })
    throw error
  })
