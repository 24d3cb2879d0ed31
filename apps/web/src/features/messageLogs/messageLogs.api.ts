import { LOGS_WATCHED_MS, messageLogs, type RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { systemControl } from '@balcao/contract/systemControl.ts'
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { LOGS_KEY } from './messageLogs.live.ts'

export interface LogFilter {
  searchParam: string
  unknown: boolean
  warning: boolean
}

export type LogPages = InfiniteData<{ messagesBruteLogs: RawMessageLog[]; hasMore: boolean }, number>

export const logPages = ({ searchParam, unknown, warning }: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...LOGS_KEY, searchParam, unknown, warning],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(messageLogs.list, {
        query: {
          searchParam,
          pageNumber: pageParam,
          searchParamWitchError: [unknown && 'unknown', warning && 'warning'].filter(Boolean).join(','),
        },
        signal,
      }),
    // the request itself keeps the log enabled
    refetchInterval: LOGS_WATCHED_MS / 2,
    getNextPageParam: (last, _pages, page) => (last.hasMore ? page + 1 : undefined),
  })

export const reprocess = ({ id }: RawMessageLog) => call(messageLogs.reprocess, { params: { logId: id } })
export const reprocessRecent = () => call(systemControl.act, { body: { action: 'reprocessRecentMessages' } })
export const removeAll = () => call(messageLogs.removeAll)
