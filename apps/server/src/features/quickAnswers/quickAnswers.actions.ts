import type { QuickAnswer, QuickAnswerInput } from '@balcao/contract/quickAnswers.ts'
import type { Scope } from '../../platform/scope.ts'
import { quickAnswerChanged } from './quickAnswers.events.ts'
import { holdQuickAnswer, holdRemovable, withOwner } from './quickAnswers.owners.actions.ts'
import { deleteQuickAnswer, insertQuickAnswer, updateQuickAnswer } from './quickAnswers.queries.ts'

/** Refuses with ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND, ERR_NAME_EXISTS. */
export const addQuickAnswer = (scope: Scope, input: QuickAnswerInput): Promise<QuickAnswer> =>
  scope.transaction(async tx => {
    const quickAnswer = await insertQuickAnswer(tx, await withOwner(tx, input))
    tx.emit(quickAnswerChanged, { action: 'create', quickAnswer })
    return quickAnswer
  })

/** Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION, and what adding one refuses with. */
export const changeQuickAnswer = (
  scope: Scope,
  quickAnswerId: number,
  input: QuickAnswerInput,
): Promise<QuickAnswer> =>
  scope.transaction(async tx => {
    const before = await holdQuickAnswer(tx, quickAnswerId)
    const quickAnswer = await updateQuickAnswer(tx, quickAnswerId, await withOwner(tx, input, before))
    tx.emit(quickAnswerChanged, { action: 'update', quickAnswer, before })
    return quickAnswer
  })

/** Refuses with ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export const removeQuickAnswer = (scope: Scope, quickAnswerId: number): Promise<void> =>
  scope.transaction(async tx => {
    const before = await holdRemovable(tx, quickAnswerId)
    await deleteQuickAnswer(tx, quickAnswerId)
    tx.emit(quickAnswerChanged, { action: 'delete', quickAnswerId, before })
  })
