import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { serve } from '../../platform/http/routes.ts'
import { addQuickAnswer, changeQuickAnswer, removeQuickAnswer } from './quickAnswers.actions.ts'
import { findQuickAnswer, listQuickAnswers } from './quickAnswers.queries.ts'

export const routes = [
  serve(quickAnswers.list, (scope, { query }) => scope.list(tx => listQuickAnswers(tx, query))),
  serve(quickAnswers.show, (scope, { params }) =>
    scope.read(tx => findQuickAnswer(tx, params.quickAnswerId)),
  ),
  serve(quickAnswers.create, (scope, { body }) => addQuickAnswer(scope, body)),
  serve(quickAnswers.change, (scope, { params, body }) =>
    changeQuickAnswer(scope, params.quickAnswerId, body),
  ),
  serve(quickAnswers.remove, async (scope, { params }) => {
    await removeQuickAnswer(scope, params.quickAnswerId)
    return {}
  }),
]
