import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { askDueSurveys } from './surveys.ask.actions.ts'
import { carriedOfSurveys } from './surveys.carried.queries.ts'
import { live } from './surveys.live.ts'
import { dueSurveys } from './surveys.queries.ts'
import { reacts } from './surveys.reacts.ts'
import { routes } from './surveys.routes.ts'

const NAME = 'surveys'

export const surveys: Feature = {
  name: NAME,
  routes,
  live,
  reacts,
  jobs: [...carriedOfSurveys, due(NAME, askDueSurveys, sql => dueSurveys(sql, 1))],
}
