import { permissions } from '@balcao/contract/permissions.ts'
import { serve } from '../../platform/http/routes.ts'
import { addAuthorization, changeAuthorization, removeAuthorization } from './permissions.actions.ts'
import { findUsedAuthorization, listAuthorizations } from './permissions.queries.ts'

export const routes = [
  serve(permissions.list, (scope, { query }) => listAuthorizations(scope, query)),
  serve(permissions.show, (scope, { params }) =>
    scope.read(tx => findUsedAuthorization(tx, params.authorizationId)),
  ),
  serve(permissions.create, (scope, { body }) => addAuthorization(scope, body)),
  serve(permissions.change, (scope, { params, body }) =>
    changeAuthorization(scope, params.authorizationId, body),
  ),
  serve(permissions.remove, async (scope, { params }) => {
    await removeAuthorization(scope, params.authorizationId)
    return {}
  }),
]
