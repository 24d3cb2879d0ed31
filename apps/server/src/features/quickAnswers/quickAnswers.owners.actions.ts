import { cut } from '@balcao/contract/cut.rules.ts'
import { type AnswerOwner, answersForQueue, mayTakeAway } from '@balcao/contract/quickAnswers.rules.ts'
import type { QuickAnswer, QuickAnswerInput } from '@balcao/contract/quickAnswers.ts'
import { refuse } from '../../platform/errors.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { holdQueues } from '../queues/queues.queries.ts'
import { quickAnswerChanged } from './quickAnswers.events.ts'
import { answersNamed, lockQuickAnswers, releaseFromQueue } from './quickAnswers.owners.queries.ts'
import { findQuickAnswer } from './quickAnswers.queries.ts'

/** What a refusal says of the answer that has the shortcut, in UTF-16 units. */
const SHOWN = 200

/**
 * The input with its owner, the company where none is given. Refuses with ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND,
 * ERR_NAME_EXISTS.
 */
export async function withOwner(tx: Tx, input: QuickAnswerInput, before: QuickAnswer | null = null) {
  await lockQuickAnswers(tx)
  const owner = await wantedOwner(tx, input, before)
  const [taken] = (await answersNamed(tx, input.shortcut, owner)).filter(({ id }) => id !== before?.id)
  if (!taken) return { ...input, ...owner }
  const { id: quickAnswerId, shortcut, message } = taken
  const details = { quickAnswerId, shortcut, message: cut(message, SHOWN) }
  return refuse('ERR_NAME_EXISTS', { field: 'shortcut', details })
}

/** One that is about to be changed, so that two who do it at once do it in turn. Refuses with ERR_NOT_FOUND. */
export async function holdQuickAnswer(tx: Tx, quickAnswerId: number): Promise<QuickAnswer> {
  await lockQuickAnswers(tx)
  return findQuickAnswer(tx, quickAnswerId)
}

/** Refuses with ERR_NOT_FOUND, and with ERR_NO_PERMISSION what the viewer may not take from others. */
export async function holdRemovable(tx: Tx, quickAnswerId: number): Promise<QuickAnswer> {
  const before = await holdQuickAnswer(tx, quickAnswerId)
  return mayTakeAway(viewerOf(tx), before) ? before : refuse('ERR_NO_PERMISSION')
}

/** The quick answers of a deleted queue are the company's. */
export async function releaseQuickAnswers(tx: Tx, queueId: number): Promise<void> {
  for (const quickAnswer of await releaseFromQueue(tx, queueId))
    tx.emit(quickAnswerChanged, { action: 'update', quickAnswer, before: { queueId, userId: null } })
}

async function wantedOwner(
  tx: Tx,
  given: QuickAnswerInput,
  before: AnswerOwner | null,
): Promise<AnswerOwner> {
  const viewer = viewerOf(tx)
  const { queueId = null, userId = null } = isGiven(given) ? given : (before ?? {})
  if (userId !== null && queueId !== null) return refuse('ERR_BAD_REQUEST', { field: 'queueId' })
  if (userId !== null && userId !== viewer.id) return refuse('ERR_NO_USER_FOUND', { field: 'userId' })
  if (queueId !== null && !answersForQueue(viewer, queueId))
    return refuse('ERR_NO_QUEUE_FOUND', { field: 'queueId' })
  if (queueId !== null) await holdQueues(tx, [queueId], 'queueId')
  const isMoved = before !== null && (before.queueId !== queueId || before.userId !== userId)
  if (isMoved && !mayTakeAway(viewer, before)) return refuse('ERR_NO_PERMISSION')
  return { queueId, userId }
}

const isGiven = ({ queueId, userId }: QuickAnswerInput) => queueId !== undefined || userId !== undefined
