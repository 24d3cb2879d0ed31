import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { serve } from '../../platform/http/routes.ts'
import { addPauseReason, changePauseReason, removePauseReason } from './pauseReasons.actions.ts'
import { findPauseReason, listPauseReasons } from './pauseReasons.queries.ts'

export const routes = [
  serve(pauseReasons.list, (scope, { query }) => scope.list(tx => listPauseReasons(tx, query))),
  serve(pauseReasons.show, (scope, { params }) =>
    scope.read(tx => findPauseReason(tx, params.pauseReasonId)),
  ),
  serve(pauseReasons.create, (scope, { body }) => addPauseReason(scope, body)),
  serve(pauseReasons.change, (scope, { params, body }) =>
    changePauseReason(scope, params.pauseReasonId, body),
  ),
  serve(pauseReasons.remove, async (scope, { params }) => {
    await removePauseReason(scope, params.pauseReasonId)
    return {}
  }),
]
