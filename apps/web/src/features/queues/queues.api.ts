import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type QueueInput, queues } from '@balcao/contract/queues.ts'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { oneRow } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'

const QUEUES = ['queues']

export const oneQueue = oneRow('queues', queueId => call(queues.show, { params: { queueId } }))

/** Adds one, or changes one. Throws ApiError. */
export async function saveQueue(
  queueId: number | null,
  body: z.input<typeof QueueInput>,
  seen?: Seen,
): Promise<void> {
  await (queueId === null
    ? call(queues.create, { body })
    : call(queues.change, { params: { queueId }, body, seen }))
  await askAgain({ queryKey: QUEUES })
}

/** Throws ApiError. */
export async function removeQueue(queueId: number, evenIfUsed: boolean): Promise<void> {
  await call(queues.remove, { params: { queueId }, query: { evenIfUsed } })
  await askAgain({ queryKey: QUEUES })
}
