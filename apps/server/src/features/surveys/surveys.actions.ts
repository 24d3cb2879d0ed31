import type { SurveySettings } from '@balcao/contract/surveys.ts'
import type { Scope } from '../../platform/scope.ts'
import { holdQueues } from '../queues/queues.queries.ts'
import { surveySettingsChanged } from './surveys.events.ts'
import { lockSettings, saveSettings } from './surveys.queries.ts'

/** What is left out stays. Refuses with ERR_NO_QUEUE_FOUND. */
export const changeSurvey = (scope: Scope, change: Partial<SurveySettings>): Promise<SurveySettings> =>
  scope.transaction(async tx => {
    const settings = { ...(await lockSettings(tx)), ...change }
    if (change.queueIds) settings.queueIds = await holdQueues(tx, change.queueIds, 'queueIds')
    await saveSettings(tx, settings)
    tx.emit(surveySettingsChanged, {})
    return settings
  })
