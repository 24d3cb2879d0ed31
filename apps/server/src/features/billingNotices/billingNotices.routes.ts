import { billingNotices } from '@balcao/contract/billingNotices.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { payeeOf } from '../invoices/invoices.actions.ts'
import {
  addBillingContact,
  changeBillingContact,
  findBillingContact,
  listBillingContacts,
  refuseForeignCompany,
  removeBillingContact,
  tryTemplate,
} from './billingNotices.actions.ts'
import { listNotices, openNotice } from './billingNotices.queries.ts'
import {
  addTemplate,
  changeTemplate,
  findTemplate,
  listTemplates,
  removeTemplate,
} from './billingNotices.templates.queries.ts'

export const routes = [
  serve(billingNotices.listContacts, (scope, { params }, { platform: { scopes } }) =>
    listBillingContacts(scopes.platform(), viewerOf(scope), params.companyId),
  ),
  serve(billingNotices.showContact, (scope, { params }, { platform: { scopes } }) =>
    findBillingContact(scopes.platform(), viewerOf(scope), params.id),
  ),
  serve(billingNotices.addContact, (scope, { body }, { platform: { scopes } }) =>
    addBillingContact(scopes.platform(), viewerOf(scope), body),
  ),
  serve(billingNotices.changeContact, (scope, { params, body }, { platform: { scopes } }) =>
    changeBillingContact(scopes.platform(), viewerOf(scope), params.id, body),
  ),
  serve(billingNotices.removeContact, async (scope, { params }, { platform: { scopes } }) => {
    await removeBillingContact(scopes.platform(), viewerOf(scope), params.id)
    return {}
  }),
  serve(billingNotices.listNotices, (scope, { params, query }, { platform: { scopes } }) => {
    refuseForeignCompany(viewerOf(scope), params.companyId)
    return scopes.platform().transaction(sql => listNotices(sql, params.companyId, query.pageNumber))
  }),
  serve(billingNotices.listTemplates, (_scope, _input, { platform: { scopes } }) =>
    scopes.platform().transaction(listTemplates),
  ),
  serve(billingNotices.showTemplate, (_scope, { params }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => findTemplate(sql, params.id)),
  ),
  serve(billingNotices.addTemplate, (_scope, { body }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => addTemplate(sql, body)),
  ),
  serve(billingNotices.changeTemplate, (_scope, { params, body }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => changeTemplate(sql, params.id, body)),
  ),
  serve(billingNotices.removeTemplate, async (_scope, { params }, { platform: { scopes } }) => {
    await scopes.platform().transaction(sql => removeTemplate(sql, params.id))
    return {}
  }),
  serve(billingNotices.tryTemplate, async (_scope, { params, body }, { platform }) => {
    await tryTemplate(platform, params.id, body)
    return {}
  }),
  serve(billingNotices.open, async (_scope, { params }, { platform: { scopes, config } }) => {
    const shown = { backendUrl: config.backendUrl, payee: await payeeOf({ scopes, config }) }
    return scopes.platform().transaction(sql => openNotice(sql, shown, params.platform, params.id))
  }),
]
