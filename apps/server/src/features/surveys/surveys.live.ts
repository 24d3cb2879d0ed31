import { surveyChannel } from '@balcao/contract/surveys.ts'
import { everyone, publish } from '../../platform/live/live.ts'
import { surveyAnswered, surveySettingsChanged } from './surveys.events.ts'

/** Ids alone: who may see scores fetches them. */
export const live = [
  publish(surveyAnswered, (companyId, { survey }, push) =>
    push(surveyChannel, [everyone(companyId)], { action: 'update', surveyId: survey.id }),
  ),
  publish(surveySettingsChanged, (companyId, _changed, push) =>
    push(surveyChannel, [everyone(companyId)], { action: 'settings', surveyId: null }),
  ),
]
