import { type QueueTargets, targets } from '@balcao/contract/targets.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bytesOptions, saveBytes } from '../../platform/bytes.ts'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { language } from '../../platform/text.ts'

export const targetsOf = (queueId: number) =>
  queryOptions({
    queryKey: ['targets', queueId],
    queryFn: () => call(targets.show, { params: { queueId } }),
    staleTime: 0,
  })

/** Throws ApiError. */
export async function saveTargets(queueId: number, body: QueueTargets): Promise<void> {
  queryClient.setQueryData(
    targetsOf(queueId).queryKey,
    await call(targets.change, { params: { queueId }, body }),
  )
}

/** Parameters of the calls of the report. */
export interface TargetsAsked {
  initialDate?: string
  finalDate?: string
  selectedQueueIds: number[]
  selectedUserIds: number[]
}

export const keptFor = (query: TargetsAsked) =>
  queryOptions({
    queryKey: ['targets', 'kept', query],
    queryFn: () => call(targets.report, { query }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

export const missedFor = (query: TargetsAsked) =>
  infiniteQueryOptions({
    queryKey: ['targets', 'missed', query],
    queryFn: ({ pageParam }) => call(targets.missed, { query: { ...query, pageNumber: pageParam } }),
    initialPageParam: 1,
    getNextPageParam: ({ hasMore }, _all, page) => (hasMore ? page + 1 : undefined),
    staleTime: 0,
  })

/** Downloads the report, or what was missed in it. */
export async function saveTargetReport(query: TargetsAsked, what: 'parts' | 'missed', name: string) {
  try {
    const { url } = await call(targets.export, { query: { ...query, what, language: language() } })
    saveBytes(await queryClient.fetchQuery(bytesOptions(url)), `${name}.xlsx`)
  } catch (error) {
    notify.failed(error)
  }
}
