import { payments } from '@balcao/contract/payments.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { findClient } from '../clients/clients.queries.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import { assignPayment, creditPayment, refundPayment } from './payments.actions.ts'
import { findPayment, paymentsToReview } from './payments.queries.ts'
import { statementOf } from './payments.statement.queries.ts'

export const routes = [
  serve(payments.toReview, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => paymentsToReview(sql, query.pageNumber)),
  ),
  serve(payments.assign, async (_scope, { params, body }, { platform: { scopes, config } }) => {
    await assignPayment(scopes.platform(), await billingNow({ scopes, config }), { ...params, ...body })
    return scopes.platform().transaction(sql => findPayment(sql, params.paymentId))
  }),
  serve(payments.credit, async (_scope, { params, body }, { platform: { scopes } }) => {
    await creditPayment(scopes.platform(), { ...params, ...body })
    return scopes.platform().transaction(sql => findPayment(sql, params.paymentId))
  }),
  serve(payments.refund, async (scope, { params, body }, { platform: { scopes } }) => {
    await refundPayment(scopes.platform(), { ...params, ...body, by: viewerOf(scope).name })
    return scopes.platform().transaction(sql => findPayment(sql, params.paymentId))
  }),
  serve(payments.statement, async (scope, { params, query }, { platform: { scopes } }) => {
    const { companyId } = params
    if (!may(viewerOf(scope), 'master') && companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
    await scopes.platform().transaction(sql => findClient(sql, companyId))
    return scopes.inCompany(companyId).read(tx => statementOf(tx, query.pageNumber))
  }),
]
