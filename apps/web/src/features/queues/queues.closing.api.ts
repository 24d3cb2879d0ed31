import { closingReasons, type QueueClosing } from '@balcao/contract/closingReasons.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { askAgain } from '../../platform/query.ts'

/** What tickets are closed for depends on it: the reasons begin with the same key. */
const CLOSING = ['closingReasons']

export const queueClosing = (queueId: number) =>
  queryOptions({
    queryKey: [...CLOSING, 'queue', queueId],
    queryFn: () => call(closingReasons.showQueue, { params: { queueId } }),
  })

/** Throws ApiError. */
export async function saveQueueClosing(
  queueId: number,
  body: QueueClosing,
  seen: QueueClosing,
): Promise<void> {
  await call(closingReasons.changeQueue, { params: { queueId }, body, seen })
  await askAgain({ queryKey: CLOSING })
}
