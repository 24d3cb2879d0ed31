import type { QuickAnswer, QuickAnswerInput } from '@balcao/contract/quickAnswers.ts'
import type { Scope } from '../../platform/scope.ts'
import { quickAnswerChanged } from './quickAnswers.events.ts'
import { deleteQuickAnswer, insertQuickAnswer, updateQuickAnswer } from './quickAnswers.queries.ts'

export const addQuickAnswer = (scope: Scope, input: QuickAnswerInput): Promise<QuickAnswer> =>
  scope.transaction(async tx => {
    const quickAnswer = await insertQuickAnswer(tx, input)
    tx.emit(quickAnswerChanged, { action: 'create', quickAnswer })
    return quickAnswer
  })

/** Refuses with ERR_NOT_FOUND. */
export const changeQuickAnswer = (
  scope: Scope,
  quickAnswerId: number,
  input: QuickAnswerInput,
): Promise<QuickAnswer> =>
  scope.transaction(async tx => {
    const quickAnswer = await updateQuickAnswer(tx, quickAnswerId, input)
    tx.emit(quickAnswerChanged, { action: 'update', quickAnswer })
    return quickAnswer
  })

/** Refuses with ERR_NOT_FOUND. */
export const removeQuickAnswer = (scope: Scope, quickAnswerId: number): Promise<void> =>
  scope.transaction(async tx => {
    await deleteQuickAnswer(tx, quickAnswerId)
    tx.emit(quickAnswerChanged, { action: 'delete', quickAnswerId })
  })
