import { invoices } from '@balcao/contract/invoices.ts'
import { databaseDate } from '../../platform/clock.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { refuseForeign } from '../plans/plans.actions.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { addInvoice, billingNow, cancelInvoice, payInvoice, removeInvoice } from './invoices.actions.ts'
import { listInvoices, shownInvoice } from './invoices.queries.ts'
import { lateToday } from './invoices.settle.actions.ts'

export const routes = [
  serve(invoices.list, async (scope, { params, query }, { platform: { scopes, config } }) => {
    const found = await scopes.platform().transaction(async sql => {
      refuseForeign(viewerOf(scope), await findPlan(sql, params.planId))
      return listInvoices(sql, params.planId, query.pageNumber)
    })
    const { payee, late = null, now } = await billingNow({ scopes, config })
    const [first] = found.rows
    const shown =
      first && late && (await scopes.inCompany(first.companyId).read(tx => lateToday(tx, late, now)))
    return { list: found.rows.map(row => shownInvoice(row, payee, shown)), hasMore: found.hasMore }
  }),
  serve(invoices.create, async (_scope, { params, body }, { platform: { scopes, config } }) =>
    addInvoice(scopes.platform(), await billingNow({ scopes, config }), params.planId, body),
  ),
  serve(invoices.pay, async (scope, { params, body }, { platform: { scopes, config } }) =>
    payInvoice(scopes.platform(), await billingNow({ scopes, config }), {
      ...{ ...body, invoiceId: params.invoiceId, by: viewerOf(scope).name },
    }),
  ),
  serve(invoices.cancel, async (scope, { params, body }, { platform: { scopes, config } }) =>
    cancelInvoice(scopes.platform(), await billingNow({ scopes, config }), {
      ...{ ...body, invoiceId: params.invoiceId, by: viewerOf(scope).name },
    }),
  ),
  serve(invoices.remove, async (_scope, { params }, { platform: { scopes } }) => {
    await removeInvoice(scopes.platform(), { now: databaseDate() }, params.invoiceId)
    return {}
  }),
]
