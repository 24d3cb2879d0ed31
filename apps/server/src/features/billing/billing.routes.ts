import { billing } from '@balcao/contract/billing.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { databaseDate } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { type Scope, type Scopes, type Tx, viewerOf } from '../../platform/scope.ts'
import { reachClient } from '../clients/clients.actions.ts'
import { settingNow } from '../companies/companies.settings.queries.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { billCompany } from '../invoices/invoices.billing.actions.ts'
import { holdingSubscription } from '../invoices/invoices.hold.actions.ts'
import { endPause, insertPause, readSubscription } from '../subscriptions/subscriptions.queries.ts'
import { changeCompanyPlan, keepPlan, quotePlan } from './billing.change.actions.ts'
import { endSubscription, goOnWith } from './billing.end.actions.ts'
import { trustedSum } from './billing.orders.actions.ts'
import { shownSubscription } from './billing.show.queries.ts'
import { billingStartOf } from './billing.start.queries.ts'
import { billFrom, prolongTrial, takeUpPlan } from './billing.trial.actions.ts'

async function change(scope: Scope, scopes: Scopes, companyId: number, work: (tx: Tx) => Promise<unknown>) {
  await holdingSubscription(scopes.inCompany(companyId), work)
  return show(scope, scopes, companyId)
}

/** Nothing is written or locked: a visitor sees it, too. */
async function show(scope: Scope, scopes: Scopes, companyId: number) {
  const mayEnd = await mayEndIt(scope, scopes)
  return scopes
    .inCompany(companyId)
    .read(async tx => ({ ...(await shownSubscription(tx, await readSubscription(tx))), mayEnd }))
}

/** Masters end every subscription, users the own one where the operator lets them. */
const mayEndIt = async (scope: Scope, scopes: Scopes): Promise<boolean> =>
  may(viewerOf(scope), 'master') ||
  (await scopes.platform().transaction(sql => settingNow(sql, 'customersEnd'))) === 'enabled'

/** Refuses with ERR_NO_PERMISSION. */
async function refuseEnding(scope: Scope, scopes: Scopes): Promise<void> {
  if (!(await mayEndIt(scope, scopes))) refuse('ERR_NO_PERMISSION')
}

const trustedBy = (scope: Scope, scopes: Scopes) => trustedSum(scopes.platform(), viewerOf(scope))

export const routes = [
  serve(billing.show, async (scope, { params: { companyId } }, { platform: { scopes } }) => {
    await reachClient(scope, scopes, companyId)
    return show(scope, scopes, companyId)
  }),
  serve(billing.change, async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
    await reachClient(scope, scopes, companyId)
    const { billedFrom, trialEndsOn, invoices } = body
    const writing = await billingNow({ scopes, config })
    await change(scope, scopes, companyId, async tx => {
      if (billedFrom) await billFrom(tx, writing.now, { billedFrom, invoices })
      if (trialEndsOn) await prolongTrial(tx, writing, trialEndsOn)
    })
    await billCompany(scopes.platform().inCompany(companyId), writing)
    return show(scope, scopes, companyId)
  }),
  serve(billing.start, async (scope, { params: { companyId }, query }, { platform: { scopes } }) => {
    await reachClient(scope, scopes, companyId)
    return scopes.inCompany(companyId).read(tx => billingStartOf(tx, query.billedFrom, databaseDate()))
  }),
  serve(billing.end, async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
    await reachClient(scope, scopes, companyId)
    await refuseEnding(scope, scopes)
    const writing = await billingNow({ scopes, config })
    const by = viewerOf(scope).name
    // days that a downtime left out
    await billCompany(scopes.platform().inCompany(companyId), writing)
    return change(scope, scopes, companyId, tx => endSubscription(tx, writing, { reason: body.reason, by }))
  }),
  serve(billing.goOn, async (scope, { params: { companyId } }, { platform: { scopes, config } }) => {
    await reachClient(scope, scopes, companyId)
    await refuseEnding(scope, scopes)
    await change(scope, scopes, companyId, goOnWith)
    await billCompany(scopes.platform().inCompany(companyId), await billingNow({ scopes, config }))
    return show(scope, scopes, companyId)
  }),
  serve(billing.takeUp, async (scope, { params: { companyId } }, { platform: { scopes, config } }) => {
    await reachClient(scope, scopes, companyId)
    const isMaster = may(viewerOf(scope), 'master')
    await scopes.inCompany(companyId).transaction(tx => takeUpPlan(tx, databaseDate(), isMaster))
    await billCompany(scopes.platform().inCompany(companyId), await billingNow({ scopes, config }))
    return show(scope, scopes, companyId)
  }),
  serve(billing.pause, async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
    await reachClient(scope, scopes, companyId)
    const { from: fromDay, until: untilDay, reason, restsService } = body
    const recordedBy = viewerOf(scope).name
    await change(scope, scopes, companyId, tx =>
      insertPause(tx, { kind: 'pause', fromDay, untilDay, reason, restsService, recordedBy }),
    )
    await billCompany(scopes.platform().inCompany(companyId), await billingNow({ scopes, config }))
    return show(scope, scopes, companyId)
  }),
  serve(billing.resume, async (scope, { params, body }, { platform: { scopes, config } }) => {
    const { companyId, pauseId } = params
    await reachClient(scope, scopes, companyId)
    await change(scope, scopes, companyId, async tx => {
      if (!(await endPause(tx, pauseId, body.until))) refuse('ERR_NOT_FOUND')
    })
    await billCompany(scopes.platform().inCompany(companyId), await billingNow({ scopes, config }))
    return show(scope, scopes, companyId)
  }),
  serve(billing.quote, async (scope, { params: { companyId }, query }, { platform: { scopes } }) => {
    await reachClient(scope, scopes, companyId)
    return quotePlan(
      scopes.platform(),
      viewerOf(scope),
      { companyId, ...query, trusted: await trustedBy(scope, scopes) },
      databaseDate(),
    )
  }),
  serve(
    billing.changePlan,
    async (scope, { params: { companyId }, body }, { platform: { scopes, config } }) => {
      await reachClient(scope, scopes, companyId)
      const by = { viewer: viewerOf(scope), writing: await billingNow({ scopes, config }) }
      await changeCompanyPlan(scopes.platform(), by, {
        ...{ companyId, ...body },
        trusted: await trustedBy(scope, scopes),
      })
      return show(scope, scopes, companyId)
    },
  ),
  serve(billing.keepPlan, async (scope, { params: { companyId } }, { platform: { scopes, config } }) => {
    await reachClient(scope, scopes, companyId)
    const writing = await billingNow({ scopes, config })
    await change(scope, scopes, companyId, tx => keepPlan(tx, writing))
    await billCompany(scopes.platform().inCompany(companyId), writing)
    return show(scope, scopes, companyId)
  }),
]
