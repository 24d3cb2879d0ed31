import { type AutopayKind, autopay } from '@balcao/contract/autopay.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { findClient } from '../clients/clients.queries.ts'
import { openCollectors } from '../collectors/collectors.client.ts'
import { chooseWay, endCurrentWay } from './autopay.actions.ts'
import { autopayCompanies } from './autopay.queries.ts'
import { shownAutopay } from './autopay.show.queries.ts'

/** Users who are no masters reach only their own company. Refuses with ERR_NO_COMPANY_FOUND. */
async function reach(scope: Scope, { scopes }: Platform, companyId: number): Promise<void> {
  if (!may(viewerOf(scope), 'master') && companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
  await scopes.platform().transaction(sql => findClient(sql, companyId))
}

const KINDS: AutopayKind[] = ['pix', 'card']

/** The provider that collects, where it charges by what a payer allowed once; null for none. */
async function autopayCollector(platform: Platform) {
  const { current } = await openCollectors(platform)
  return current?.autopay ? current.name : null
}

async function show(platform: Platform, companyId: number) {
  const offered = (await autopayCollector(platform)) ? KINDS : []
  return platform.scopes.inCompany(companyId).read(tx => shownAutopay(tx, offered))
}

export const routes = [
  serve(autopay.companies, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => autopayCompanies(sql, query.pageNumber)),
  ),
  serve(autopay.show, async (scope, { params: { companyId } }, { platform }) => {
    await reach(scope, platform, companyId)
    return show(platform, companyId)
  }),
  serve(autopay.choose, async (scope, { params: { companyId }, body }, { platform }) => {
    await reach(scope, platform, companyId)
    const collector = (await autopayCollector(platform)) ?? refuse('ERR_AUTOPAY_OFF')
    await platform.scopes.inCompany(companyId).transaction(tx => chooseWay(tx, body.kind, collector))
    return show(platform, companyId)
  }),
  serve(autopay.end, async (scope, { params: { companyId } }, { platform }) => {
    await reach(scope, platform, companyId)
    const { companyId: own, name } = viewerOf(scope)
    const ending = { reason: own === companyId ? 'byCompany' : 'byMaster', by: name } as const
    await platform.scopes.inCompany(companyId).transaction(tx => endCurrentWay(tx, ending))
    return show(platform, companyId)
  }),
]
