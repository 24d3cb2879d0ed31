import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { serve } from '../../platform/http/routes.ts'
import { addToken, changeToken, removeToken, renewToken } from './apiTokens.actions.ts'
import { findToken, listTokens } from './apiTokens.queries.ts'

export const routes = [
  serve(apiTokens.list, (scope, { query }) => scope.list(tx => listTokens(tx, query))),
  serve(apiTokens.show, (scope, { params }) => scope.read(tx => findToken(tx, params.tokenId))),
  serve(apiTokens.create, (scope, { body }) => addToken(scope, body)),
  serve(apiTokens.change, (scope, { params, body }) => changeToken(scope, params.tokenId, body)),
  serve(apiTokens.renew, (scope, { params }) => renewToken(scope, params.tokenId)),
  serve(apiTokens.remove, async (scope, { params }) => {
    await removeToken(scope, params.tokenId)
    return {}
  }),
]
