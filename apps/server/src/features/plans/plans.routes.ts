import { may } from '@balcao/contract/permissions.rules.ts'
import { plans } from '@balcao/contract/plans.ts'
import { refuse } from '../../platform/errors.ts'
import { serve, serveOpen } from '../../platform/http/routes.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { addPlan, assignPlan, changePlan, refuseForeign, removePlan } from './plans.actions.ts'
import { findPlan, listPlans, offeredPlans, plansOfCompany, shownPlan } from './plans.queries.ts'

export const routes = [
  serveOpen(plans.public, async platform => ({ plans: await platform.transaction(offeredPlans) })),
  serve(plans.list, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => listPlans(sql, query)),
  ),
  serve(plans.show, async (scope, { params }, { platform: { scopes } }) => {
    const plan = await scopes.platform().transaction(sql => findPlan(sql, params.planId))
    refuseForeign(viewerOf(scope), plan)
    return shownPlan(plan)
  }),
  serve(plans.create, (_scope, { body }, { platform: { scopes } }) => addPlan(scopes.platform(), body)),
  serve(plans.change, (scope, { params, body }, { platform: { scopes } }) =>
    changePlan(scopes.platform(), viewerOf(scope), params.planId, body),
  ),
  serve(plans.remove, async (_scope, { params }, { platform: { scopes } }) => {
    await removePlan(scopes.platform(), params.planId)
    return {}
  }),
  serve(plans.ofCompany, (scope, { params }, { platform: { scopes } }) => {
    refuseForeignCompany(scope, params.companyId)
    return scopes.platform().transaction(sql => plansOfCompany(sql, params.companyId))
  }),
  serve(plans.assign, (scope, { params }, { platform: { scopes } }) => {
    refuseForeignCompany(scope, params.companyId)
    return assignPlan(scopes.platform(), params.companyId, params.planId)
  }),
]

function refuseForeignCompany(scope: Scope, companyId: number) {
  if (!may(viewerOf(scope), 'master') && companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
}
