import { integrations } from '@balcao/contract/integrations.ts'
import { serve } from '../../platform/http/routes.ts'
import { addIntegration, changeIntegration, removeIntegration } from './integrations.actions.ts'
import { endpointOf, modelsOf } from './integrations.endpoint.client.ts'
import { findIntegration, listIntegrations, shownIntegration } from './integrations.queries.ts'

export const routes = [
  serve(integrations.list, (scope, { query }) => scope.list(tx => listIntegrations(tx, query))),
  serve(integrations.show, (scope, { params }) =>
    scope.read(async tx => shownIntegration(await findIntegration(tx, params.integrationId))),
  ),
  serve(integrations.create, (scope, { body }, { platform }) =>
    addIntegration(scope, platform.secrets, body),
  ),
  serve(integrations.change, (scope, { params, body }, { platform }) =>
    changeIntegration(scope, platform.secrets, params.integrationId, body),
  ),
  serve(integrations.remove, async (scope, { params }) => {
    await removeIntegration(scope, params.integrationId)
    return {}
  }),
  serve(integrations.test, async (scope, { params }, { platform }) => {
    const row = await scope.read(tx => findIntegration(tx, params.integrationId))
    const began = performance.now()
    const found = await modelsOf(platform.outbound, endpointOf(row, platform.secrets, scope.companyId))
    const ms = Math.round(performance.now() - began)
    return 'failure' in found
      ? { failure: found.failure, detail: found.detail, ms, models: [] }
      : { failure: null, detail: '', ms, models: found.models }
  }),
]
