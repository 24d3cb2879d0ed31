import { type ScheduledActionName, scheduledActions } from '@balcao/contract/scheduledActions.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

/** What runs is seen within so long. */
const LOOK_MS = 2_000

export const actionList = queryOptions({
  queryKey: ['scheduledActions'],
  queryFn: () => call(scheduledActions.list),
  staleTime: 0,
  refetchInterval: LOOK_MS,
  // it is polled anyway
  retry: 1,
})

/** `delay` in milliseconds. Throws ApiError. */
export const addAction = (action: ScheduledActionName, jsonData: Record<string, unknown>, delay: number) =>
  call(scheduledActions.create, { body: { action, jsonData, delay } })

/** Throws ApiError. */
export const removeAction = (jobId: string) => call(scheduledActions.remove, { params: { jobId } })

/** Throws ApiError. */
export const removeActions = () => call(scheduledActions.removeAll)
