import { companyLimits } from '@balcao/contract/companyLimits.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { chooseLimits, refuseForeignLimits, shownLimits } from './companyLimits.actions.ts'

export const routes = [
  serve(companyLimits.show, (scope, { params: { companyId } }, { platform: { scopes } }) => {
    const viewer = viewerOf(scope)
    refuseForeignLimits(viewer, companyId)
    return scopes.inCompany(companyId, viewer).transaction(shownLimits)
  }),
  serve(companyLimits.choose, (scope, { params: { companyId }, body }, { platform: { scopes } }) => {
    const viewer = viewerOf(scope)
    refuseForeignLimits(viewer, companyId)
    return scopes.inCompany(companyId, viewer).transaction(tx => chooseLimits(tx, body))
  }),
]
