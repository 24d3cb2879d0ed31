import { clients } from '@balcao/contract/clients.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { storageOf } from '../companies/companies.storage.actions.ts'
import { storageLimitOf } from '../companies/companies.storage.queries.ts'
import { addClient, changeClient, removeClient } from './clients.actions.ts'
import { findClient, listClients } from './clients.queries.ts'

export const routes = [
  serve(clients.list, (scope, { query }, { platform: { scopes } }) =>
    scopes.platform().list(sql => listClients(scope, sql, query)),
  ),
  serve(clients.show, (scope, { params }, { platform: { scopes } }) => {
    refuseForeign(scope, params.companyId)
    return scopes.platform().transaction(sql => findClient(sql, params.companyId))
  }),
  serve(clients.storage, async (scope, { params }, { platform: { scopes, files } }) => {
    refuseForeign(scope, params.companyId)
    await scopes.platform().transaction(sql => findClient(sql, params.companyId))
    const limitMb = await scopes.inCompany(params.companyId).read(storageLimitOf)
    return { ...(await storageOf(scopes, files, params.companyId)), limitMb }
  }),
  serve(clients.create, async (scope, { body }, { platform: { scopes, log } }) => {
    const company = await addClient(scopes.platform(), viewerOf(scope), body)
    log.info({ companyId: company.id, by: viewerOf(scope).id }, 'a master founded a company')
    return { company }
  }),
  serve(clients.change, (scope, { params, body }, { platform: { scopes, config } }) => {
    refuseForeign(scope, params.companyId)
    const by = { viewer: viewerOf(scope), timeZone: config.tzDefault }
    return changeClient(scopes.platform(), by, params.companyId, body)
  }),
  serve(clients.remove, async (scope, { params }, { platform: { scopes, log } }) => {
    await removeClient(scopes.platform(), viewerOf(scope), params.companyId)
    log.info({ companyId: params.companyId, by: viewerOf(scope).id }, 'a master deletes a company')
    return {}
  }),
]

/** Who pays for a company finds his own alone. */
function refuseForeign(scope: Scope, companyId: number) {
  if (!may(viewerOf(scope), 'master') && companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
}
