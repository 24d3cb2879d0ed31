import {
  type ClosingReason,
  type ClosingReasonInput,
  MAX_CLOSING_REASONS,
  type QueueClosing,
} from '@balcao/contract/closingReasons.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { findQueue, holdQueues } from '../queues/queues.queries.ts'
import { closingReasonChanged } from './closingReasons.events.ts'
import {
  countReasons,
  deleteClosingReason,
  insertClosingReason,
  takeQueueFromReasons,
  updateClosingReason,
  usableReason,
} from './closingReasons.queries.ts'
import { closingOfQueue, saveClosingOfQueue } from './closingReasons.queues.queries.ts'

/** Refuses with ERR_NAME_EXISTS, ERR_NO_QUEUE_FOUND, and ERR_BAD_REQUEST where there are as many as may be. */
export const addClosingReason = (scope: Scope, input: ClosingReasonInput): Promise<ClosingReason> =>
  orNameExists(
    scope.transaction(async tx => {
      if ((await countReasons(tx)) >= MAX_CLOSING_REASONS)
        refuse('ERR_BAD_REQUEST', { field: 'name', message: `At most ${MAX_CLOSING_REASONS}` })
      const closingReason = await insertClosingReason(tx, await withKnownQueues(tx, input))
      tx.emit(closingReasonChanged, { action: 'create', closingReason })
      return closingReason
    }),
  )

/** Refuses with ERR_NO_CLOSING_REASON_FOUND, ERR_NAME_EXISTS, ERR_NO_QUEUE_FOUND. */
export const changeClosingReason = (
  scope: Scope,
  closingReasonId: number,
  input: Partial<ClosingReasonInput>,
): Promise<ClosingReason> =>
  orNameExists(
    scope.transaction(async tx => {
      const closingReason = await updateClosingReason(tx, closingReasonId, await withKnownQueues(tx, input))
      tx.emit(closingReasonChanged, { action: 'update', closingReason })
      return closingReason
    }),
  )

/** Refuses with ERR_NO_CLOSING_REASON_FOUND. */
export const removeClosingReason = (scope: Scope, closingReasonId: number): Promise<void> =>
  scope.transaction(async tx => {
    await deleteClosingReason(tx, closingReasonId)
    tx.emit(closingReasonChanged, { action: 'delete', closingReasonId })
  })

/** Refuses with ERR_NO_QUEUE_FOUND. */
export const changeQueueClosing = (
  scope: Scope,
  queueId: number,
  change: Partial<QueueClosing>,
): Promise<QueueClosing> =>
  scope.transaction(async tx => {
    await holdQueues(tx, [queueId])
    const closing = { ...(await closingOfQueue(tx, queueId)), ...change }
    await saveClosingOfQueue(tx, queueId, closing)
    return closing
  })

/** Refuses with ERR_NO_QUEUE_FOUND. */
export async function showQueueClosing(tx: Tx, queueId: number): Promise<QueueClosing> {
  await findQueue(tx, queueId)
  return closingOfQueue(tx, queueId)
}

export async function releaseQueue(tx: Tx, queueId: number): Promise<void> {
  for (const closingReason of await takeQueueFromReasons(tx, queueId))
    tx.emit(closingReasonChanged, { action: 'update', closingReason })
}

/** Why a user closes a ticket: a reason of the company, words of the user, or both. */
export interface Closing {
  reason: { id: number; name: string } | null
  note: string
  spam: boolean
}

export interface ClosingAsked {
  closingReasonId?: number | null | undefined
  closingNote?: string | null | undefined
}

/**
 * What closes tickets of a queue. Refuses a user without a reason with ERR_CLOSING_REASON_REQUIRED where the queue requires
 * one, and with ERR_NO_CLOSING_REASON_FOUND one that is not offered there.
 */
export async function closingFor(
  tx: Tx,
  queueId: number | null,
  { closingReasonId, closingNote }: ClosingAsked,
): Promise<Closing | null> {
  const note = closingNote ?? ''
  if (!closingReasonId) {
    if (tx.viewer && (await closingOfQueue(tx, queueId)).reasonRequired)
      refuse('ERR_CLOSING_REASON_REQUIRED', { field: 'closingReasonId' })
    return note ? { reason: null, note, spam: false } : null
  }
  const found = await usableReason(tx, closingReasonId, queueId)
  if (!found) return refuse('ERR_NO_CLOSING_REASON_FOUND', { field: 'closingReasonId' })
  return { reason: { id: found.id, name: found.name }, note, spam: found.spam }
}

const withKnownQueues = async <Input extends Partial<ClosingReasonInput>>(tx: Tx, input: Input) =>
  input.queueIds ? { ...input, queueIds: await holdQueues(tx, input.queueIds, 'queueIds') } : input

const orNameExists = <T>(work: Promise<T>) =>
  work.catch((error: unknown) => {
    if (isUniqueViolation(error, 'closing_reasons_name')) return refuse('ERR_NAME_EXISTS', { field: 'name' })
    throw error
  })
