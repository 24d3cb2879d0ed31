import type { Seen } from '@balcao/contract/edits.rules.ts'
import { type PauseReasonInput, pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { PAUSE_REASONS } from './pauseReasons.live.ts'

export const pauseReasonList = pagedList(pauseReasons.list, 'pauseReasons')

export const onePauseReason = oneRow('pauseReasons', pauseReasonId =>
  call(pauseReasons.show, { params: { pauseReasonId } }),
)

/** Adds one, or changes one. Throws ApiError. */
export async function savePauseReason(
  pauseReasonId: number | null,
  body: PauseReasonInput,
  seen?: Seen,
): Promise<void> {
  await (pauseReasonId === null
    ? call(pauseReasons.create, { body })
    : call(pauseReasons.change, { params: { pauseReasonId }, body, seen }))
  await askAgain({ queryKey: PAUSE_REASONS })
}

/** Throws ApiError. */
export async function removePauseReason(pauseReasonId: number): Promise<void> {
  await call(pauseReasons.remove, { params: { pauseReasonId } })
  await askAgain({ queryKey: PAUSE_REASONS })
}
