import { type SurveySettings, surveys } from '@balcao/contract/surveys.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { queryClient } from '../../platform/query.ts'
import { SURVEYS } from './surveys.live.ts'

export interface SurveyWanted {
  initialDate?: string | undefined
  finalDate?: string | undefined
  userId?: number | undefined
  queueId?: number | undefined
  score?: 1 | 2 | 3 | 4 | 5 | undefined
}

export const surveySettings = queryOptions({
  queryKey: [...SURVEYS, 'settings'],
  queryFn: () => call(surveys.show),
})

export const surveyAnswers = (wanted: SurveyWanted) =>
  infiniteQueryOptions({
    queryKey: [...SURVEYS, 'answers', wanted],
    queryFn: ({ pageParam, signal }) =>
      call(surveys.answers, { query: { ...wanted, pageNumber: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (last.hasMore ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Throws ApiError. */
export async function saveSurvey(settings: SurveySettings, seen: SurveySettings): Promise<void> {
  queryClient.setQueryData(surveySettings.queryKey, await call(surveys.change, { body: settings, seen }))
}
