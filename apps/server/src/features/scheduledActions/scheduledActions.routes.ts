import { scheduledActions } from '@balcao/contract/scheduledActions.ts'
import { serve } from '../../platform/http/routes.ts'
import {
  addScheduledAction,
  listScheduledActions,
  removeScheduledAction,
  removeScheduledActions,
} from './scheduledActions.actions.ts'

export const routes = [
  serve(scheduledActions.list, (scope, _input, { platform }) => listScheduledActions(scope, platform.jobs)),
  serve(scheduledActions.create, (scope, { body: { action, jsonData, delay } }, { platform }) =>
    addScheduledAction(scope, platform.jobs, { action, jsonData, delay }),
  ),
  serve(scheduledActions.remove, async (scope, { params }, { platform }) => {
    await removeScheduledAction(scope, platform.jobs, params.jobId)
    return {}
  }),
  serve(scheduledActions.removeAll, async (scope, _input, { platform }) => {
    await removeScheduledActions(scope, platform.jobs)
    return {}
  }),
]
