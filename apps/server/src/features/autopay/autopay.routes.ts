import { type AutopayKind, autopay } from '@balcao/contract/autopay.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { reachClient } from '../clients/clients.actions.ts'
import { openCollectors } from '../collectors/collectors.client.ts'
import { chooseWay, endCurrentWay } from './autopay.actions.ts'
import { autopayCompanies } from './autopay.queries.ts'
import { shownAutopay } from './autopay.show.queries.ts'

const KINDS: AutopayKind[] = ['pix', 'card']

/** The provider that collects, where it charges by what a payer allowed once; null for none. */
async function autopayCollector(platform: Platform) {
  const { current } = await openCollectors(platform)
  return current?.autopay ? current.name : null
}

async function show(platform: Platform, there: Scope) {
  const offered = (await autopayCollector(platform)) ? KINDS : []
  return there.read(tx => shownAutopay(tx, offered))
}

export const routes = [
  serve(autopay.companies, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => autopayCompanies(sql, query.pageNumber)),
  ),
  serve(autopay.show, async (scope, { params: { companyId } }, { platform }) => {
    const there = await reachClient(scope, platform.scopes, companyId)
    return show(platform, there)
  }),
  serve(autopay.choose, async (scope, { params: { companyId }, body }, { platform }) => {
    const there = await reachClient(scope, platform.scopes, companyId)
    const collector = (await autopayCollector(platform)) ?? refuse('ERR_AUTOPAY_OFF')
    await there.transaction(tx => chooseWay(tx, body.kind, collector))
    return show(platform, there)
  }),
  serve(autopay.end, async (scope, { params: { companyId } }, { platform }) => {
    const there = await reachClient(scope, platform.scopes, companyId)
    const reason = viewerOf(scope).companyId === companyId ? 'byCompany' : 'byMaster'
    await there.transaction(tx => endCurrentWay(tx, reason))
    return show(platform, there)
  }),
]
