import { may } from '@balcao/contract/permissions.rules.ts'
import { visits } from '@balcao/contract/visits.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { endVisit, startVisit } from './visits.actions.ts'
import { listVisits } from './visits.queries.ts'

export const routes = [
  serve(visits.start, (scope, { params, body }, { platform, sessionId }) =>
    startVisit(
      platform.scopes.platform(scope.requestId),
      platform.access,
      { viewer: viewerOf(scope), sessionId: sessionId! },
      params.companyId,
      body,
    ),
  ),
  serve(visits.end, async (scope, { params }, { platform }) => {
    const { scopes, sockets } = platform
    const viewer = viewerOf(scope)
    const visit = await endVisit(scopes.platform(scope.requestId), viewer, params.companyId, params.visitId)
    await sockets.refresh(viewer.id)
    return visit
  }),
  serve(visits.list, (scope, { params, query }, { platform }) => {
    const viewer = viewerOf(scope)
    if (!may(viewer, 'master') && params.companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
    return platform.scopes
      .inCompany(params.companyId, null, scope.requestId)
      .list(tx => listVisits(tx, query.pageNumber))
  }),
]
