import { billing } from '@balcao/contract/billing.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { type Scope, type Scopes, type Tx, viewerOf } from '../../platform/scope.ts'
import { findClient } from '../clients/clients.queries.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { billCompany } from '../invoices/invoices.billing.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import {
  endPause,
  insertPause,
  readSubscription,
  updateSubscription,
} from '../subscriptions/subscriptions.queries.ts'
import { changeCompanyPlan, keepPlan, quotePlan } from './billing.change.actions.ts'
import { shownSubscription } from './billing.show.queries.ts'
import { prolongTrial, takeUpPlan } from './billing.trial.actions.ts'

/** Users who are no masters reach only their own company. Refuses with ERR_NO_COMPANY_FOUND. */
async function reach(scope: Scope, scopes: Scopes, companyId: number): Promise<void> {
  if (!may(viewerOf(scope), 'master') && companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
  await scopes.platform().transaction(sql => findClient(sql, companyId))
}

const change = (scopes: Scopes, companyId: number, work: (tx: Tx) => Promise<unknown>) =>
  scopes.inCompany(companyId).transaction(async tx => {
    await holdSubscription(tx)
    await work(tx)
    return shownSubscription(tx, await holdSubscription(tx))
  })

/** Nothing is written or locked: a visitor sees it, too. */
const show = (scopes: Scopes, companyId: number) =>
  scopes.inCompany(companyId).read(async tx => shownSubscription(tx, await readSubscription(tx)))

export const routes = [
  serve(billing.show, async (scope, { params: { companyId } }, { platform: { scopes } }) => {
    await reach(scope, scopes, companyId)
    return show(scopes, companyId)
  }),
  serve(billing.change, async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
    await reach(scope, scopes, companyId)
    const { billedFrom, trialEndsOn } = body
    const writing = await billingNow({ scopes, config })
    await change(scopes, companyId, async tx => {
      if (billedFrom) await updateSubscription(tx, { billedFrom })
      if (trialEndsOn) await prolongTrial(tx, writing, trialEndsOn)
    })
    await billCompany(scopes.platform().inCompany(companyId), writing)
    return show(scopes, companyId)
  }),
  serve(billing.takeUp, async (scope, { params: { companyId } }, { platform: { scopes, config } }) => {
    await reach(scope, scopes, companyId)
    await scopes.inCompany(companyId).transaction(tx => takeUpPlan(tx, new Date()))
    await billCompany(scopes.platform().inCompany(companyId), await billingNow({ scopes, config }))
    return show(scopes, companyId)
  }),
  serve(billing.pause, async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
    await reach(scope, scopes, companyId)
    const { from: fromDay, until: untilDay, reason } = body
    const recordedBy = viewerOf(scope).name
    await change(scopes, companyId, tx =>
      insertPause(tx, { kind: 'pause', fromDay, untilDay, reason, recordedBy }),
    )
    await billCompany(scopes.platform().inCompany(companyId), await billingNow({ scopes, config }))
    return show(scopes, companyId)
  }),
  serve(billing.resume, async (scope, { params, body }, { platform: { scopes } }) => {
    await reach(scope, scopes, params.companyId)
    return change(scopes, params.companyId, async tx => {
      if (!(await endPause(tx, params.pauseId, body.until))) refuse('ERR_NOT_FOUND')
    })
  }),
  serve(billing.quote, async (scope, { params: { companyId }, query }, { platform: { scopes } }) => {
    await reach(scope, scopes, companyId)
    return quotePlan(scopes.platform(), viewerOf(scope), { companyId, ...query }, new Date())
  }),
  serve(
    billing.changePlan,
    async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
      await reach(scope, scopes, companyId)
      const by = { viewer: viewerOf(scope), writing: await billingNow({ scopes, config }) }
      await changeCompanyPlan(scopes.platform(), by, { companyId, ...body })
      return show(scopes, companyId)
    },
  ),
  serve(billing.keepPlan, async (scope, { params: { companyId } }, { platform: { scopes } }) => {
    await reach(scope, scopes, companyId)
    return change(scopes, companyId, tx => keepPlan(tx, new Date()))
  }),
]
