import { type ClosingReasonInput, closingReasons } from '@balcao/contract/closingReasons.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { oneRow, pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'
import { CLOSING_REASONS } from './closingReasons.live.ts'

export const closingReasonList = pagedList(closingReasons.list, 'closingReasons')

/** The reasons for a closing in a queue; changes of the list and of queues ask anew. */
export const closingChoices = (queueId: number | null | undefined) =>
  queryOptions({
    queryKey: [...CLOSING_REASONS, 'choices', queueId],
    queryFn: () =>
      call(closingReasons.choices, { query: queueId === undefined ? {} : { queueId: queueId ?? '0' } }),
    staleTime: 60_000,
    retry: false,
  })

export const oneClosingReason = oneRow('closingReasons', closingReasonId =>
  call(closingReasons.show, { params: { closingReasonId } }),
)

/** Adds one, or changes one. Throws ApiError. */
export async function saveClosingReason(
  closingReasonId: number | null,
  body: ClosingReasonInput,
  seen?: Seen,
): Promise<void> {
  await (closingReasonId === null
    ? call(closingReasons.create, { body })
    : call(closingReasons.change, { params: { closingReasonId }, body, seen }))
  await askAgain({ queryKey: CLOSING_REASONS })
}

/** Throws ApiError. */
export async function removeClosingReason(closingReasonId: number): Promise<void> {
  await call(closingReasons.remove, { params: { closingReasonId } })
  await askAgain({ queryKey: CLOSING_REASONS })
}
