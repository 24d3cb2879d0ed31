import { terms } from '@balcao/contract/terms.ts'
import { serve } from '../../platform/http/routes.ts'
import { type PlatformScope, viewerOf } from '../../platform/scope.ts'
import { acceptTerms, endTerms, publishTerms } from './terms.actions.ts'
import { currentTerms, isTermsDue, listAcceptances } from './terms.queries.ts'

const shown = async (platform: PlatformScope) => ({ terms: await platform.transaction(currentTerms) })

export const routes = [
  serve(terms.show, (_scope, _input, { platform: { scopes } }) => shown(scopes.platform())),
  serve(terms.publish, async (scope, { body }, { platform: { scopes } }) => {
    await publishTerms(scopes.platform(), body, viewerOf(scope).name)
    return shown(scopes.platform())
  }),
  serve(terms.withdraw, async (_scope, _input, { platform: { scopes } }) => {
    await endTerms(scopes.platform())
    return shown(scopes.platform())
  }),
  serve(terms.acceptances, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => listAcceptances(sql, query.companyId, query.pageNumber)),
  ),
  serve(terms.own, (scope, _input, { platform: { scopes } }) =>
    scopes.platform().transaction(async sql => ({
      terms: (await isTermsDue(sql, scope.companyId)) ? await currentTerms(sql) : null,
    })),
  ),
  serve(terms.accept, async (scope, { body }, { platform: { scopes } }) => {
    await acceptTerms(scopes.platform(), scope, body.version)
    return { terms: null }
  }),
]
