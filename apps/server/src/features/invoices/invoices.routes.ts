import { invoices } from '@balcao/contract/invoices.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { refuseForeign } from '../plans/plans.actions.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { addInvoice, payeeOf, payInvoice, removeInvoice } from './invoices.actions.ts'
import { listInvoices, shownInvoice } from './invoices.queries.ts'

export const routes = [
  serve(invoices.list, async (scope, { params, query }, { platform: { scopes, config } }) => {
    const found = await scopes.platform().transaction(async sql => {
      refuseForeign(viewerOf(scope), await findPlan(sql, params.planId))
      return listInvoices(sql, params.planId, query.pageNumber)
    })
    return { list: found.rows.map(row => shownInvoice(row, payeeOf(config))), hasMore: found.hasMore }
  }),
  serve(invoices.create, (_scope, { params, body }, { platform: { scopes, config } }) =>
    addInvoice(scopes.platform(), payeeOf(config), params.planId, body),
  ),
  serve(invoices.pay, (_scope, { params, body }, { platform: { scopes, config } }) =>
    payInvoice(scopes.platform(), payeeOf(config), params.invoiceId, body),
  ),
  serve(invoices.remove, async (_scope, { params }, { platform: { scopes } }) => {
    await removeInvoice(scopes.platform(), params.invoiceId)
    return {}
  }),
]
