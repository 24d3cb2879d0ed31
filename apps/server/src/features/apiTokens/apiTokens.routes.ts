import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { serve } from '../../platform/routes.ts'
import { addToken, changeToken, removeToken, renewToken } from './apiTokens.actions.ts'
import { findToken, listTokens } from './apiTokens.queries.ts'

export const routes = [
  serve(apiTokens.list, (scope, { query }, { platform }) =>
    scope.list(tx => listTokens(tx, query, platform.secrets)),
  ),
  serve(apiTokens.show, (scope, { params }, { platform }) =>
    scope.read(tx => findToken(tx, params.tokenId, platform.secrets)),
  ),
  serve(apiTokens.create, (scope, { body }, { platform }) => addToken(scope, body, platform.secrets)),
  serve(apiTokens.change, (scope, { params, body }, { platform }) =>
    changeToken(scope, params.tokenId, body, platform.secrets),
  ),
  serve(apiTokens.renew, (scope, { params }, { platform }) =>
    renewToken(scope, params.tokenId, platform.secrets),
  ),
  serve(apiTokens.remove, async (scope, { params }) => {
    await removeToken(scope, params.tokenId)
    return {}
  }),
]
