import { surveys } from '@balcao/contract/surveys.ts'
import { serve } from '../../platform/http/routes.ts'
import { rangeOf } from '../reports/reports.range.queries.ts'
import { changeSurvey } from './surveys.actions.ts'
import { surveySettingsOf } from './surveys.queries.ts'
import { answersIn } from './surveys.report.queries.ts'

const names = { queueIds: 'queueId', userIds: 'userId' } as const

export const routes = [
  serve(surveys.show, scope => scope.read(surveySettingsOf)),
  serve(surveys.change, (scope, { body }) => changeSurvey(scope, body)),
  serve(surveys.answers, async (scope, { query }) => {
    const { initialDate, finalDate } = query
    const range = await scope.read(tx => rangeOf(tx, { initialDate, finalDate }, names))
    return scope.list(tx => answersIn(tx, range, query))
  }),
]
