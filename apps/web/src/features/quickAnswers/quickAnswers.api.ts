import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type QuickAnswerInput, quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { QUICK_ANSWERS } from './quickAnswers.live.ts'

export const quickAnswerList = pagedList(quickAnswers.list, 'quickAnswers')

export const oneQuickAnswer = oneRow('quickAnswers', quickAnswerId =>
  call(quickAnswers.show, { params: { quickAnswerId } }),
)

/** Adds one, or changes one. Throws ApiError. */
export async function saveQuickAnswer(
  quickAnswerId: number | null,
  body: QuickAnswerInput,
  seen?: Seen,
): Promise<void> {
  await (quickAnswerId === null
    ? call(quickAnswers.create, { body })
    : call(quickAnswers.change, { params: { quickAnswerId }, body, seen }))
  await askAgain({ queryKey: QUICK_ANSWERS })
}

/** Throws ApiError. */
export async function removeQuickAnswer(quickAnswerId: number): Promise<void> {
  await call(quickAnswers.remove, { params: { quickAnswerId } })
  await askAgain({ queryKey: QUICK_ANSWERS })
}
