import { optOuts } from '@balcao/contract/optOuts.ts'
import { serve } from '../../platform/http/routes.ts'
import { addOptOut, changeSettings, removeOptOut, showOptOut } from './optOuts.actions.ts'
import { listOptOuts, optOutSettingsOf } from './optOuts.queries.ts'

export const routes = [
  serve(optOuts.list, (scope, { query }) => scope.list(tx => listOptOuts(tx, query))),
  serve(optOuts.add, (scope, { body }) => addOptOut(scope, body)),
  serve(optOuts.remove, async (scope, { params }) => {
    await removeOptOut(scope, params.optOutId)
    return {}
  }),
  serve(optOuts.ofContact, (scope, { params }) =>
    scope.read(async tx => ({ optOut: await showOptOut(tx, params.contactId) })),
  ),
  serve(optOuts.showSettings, scope => scope.read(optOutSettingsOf)),
  serve(optOuts.changeSettings, (scope, { body }) => changeSettings(scope, body)),
]
