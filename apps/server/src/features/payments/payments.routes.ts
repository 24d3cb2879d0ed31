import { parseBrl } from '@balcao/contract/invoices.rules.ts'
import { payments } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { serve } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { reachClient } from '../clients/clients.actions.ts'
import { findClient } from '../clients/clients.queries.ts'
import { billingNow } from '../invoices/invoices.actions.ts'
import {
  assignPayment,
  creditPayment,
  refundInvoice,
  refundPayment,
  undoPayment,
} from './payments.actions.ts'
import { answerReturned, applyCreditTo } from './payments.credit.actions.ts'
import { readNews, unreadNews } from './payments.news.queries.ts'
import { creditPayments, findPayment, paymentsToReview } from './payments.queries.ts'
import { statementOf } from './payments.statement.queries.ts'

const centsIn = (valueBrl: string | undefined) => (valueBrl === undefined ? null : parseBrl(valueBrl))

export const routes = [
  serve(payments.toReview, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => paymentsToReview(sql, query.pageNumber)),
  ),
  serve(payments.news, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => unreadNews(sql, query.pageNumber)),
  ),
  serve(payments.readNews, async (_scope, { params }, { platform: { scopes } }) => {
    await scopes.platform().transaction(sql => readNews(sql, params.newsId))
    return {}
  }),
  serve(payments.credits, (_scope, { params, query }, { platform: { scopes } }) =>
    scopes.platform().transaction(async sql => {
      await findClient(sql, params.companyId)
      return creditPayments(sql, params.companyId, query.pageNumber)
    }),
  ),
  serve(payments.answer, async (scope, { params: { paymentId }, body }, { platform: { scopes, config } }) => {
    const writing = await billingNow({ scopes, config })
    const by = viewerOf(scope).name
    await answerReturned(scopes.platform(), writing, { ...{ paymentId, by }, ...body })
    return scopes.platform().transaction(sql => findPayment(sql, paymentId))
  }),
  serve(payments.applyCredit, async (_scope, { params, body }, { platform: { scopes, config } }) => {
    await scopes.platform().transaction(sql => findClient(sql, params.companyId))
    const writing = await billingNow({ scopes, config })
    const used = await applyCreditTo(scopes.platform(), writing, { ...params, ...body })
    return { used, usedBrl: brl(used) }
  }),
  serve(payments.undo, async (_scope, { params }, { platform: { scopes, config } }) => {
    await undoPayment(scopes.platform(), await billingNow({ scopes, config }), params.paymentId)
    return {}
  }),
  serve(payments.assign, async (_scope, { params, body }, { platform: { scopes, config } }) => {
    await assignPayment(scopes.platform(), await billingNow({ scopes, config }), { ...params, ...body })
    return scopes.platform().transaction(sql => findPayment(sql, params.paymentId))
  }),
  serve(payments.credit, async (_scope, { params, body }, { platform: { scopes, config } }) => {
    await creditPayment(scopes.platform(), await billingNow({ scopes, config }), { ...params, ...body })
    return scopes.platform().transaction(sql => findPayment(sql, params.paymentId))
  }),
  serve(
    payments.refundInvoice,
    async (scope, { params: { invoiceId }, body }, { platform: { scopes, config } }) => {
      const writing = await billingNow({ scopes, config })
      await refundInvoice(scopes.platform(), writing, {
        ...{ invoiceId, reason: body.reason, isGift: body.isGift, by: viewerOf(scope).name },
        ...{ value: centsIn(body.valueBrl), requestId: body.requestId },
      })
      return {}
    },
  ),
  serve(payments.refund, async (scope, { params, body }, { platform: { scopes } }) => {
    await refundPayment(scopes.platform(), {
      ...{ ...params, reason: body.reason, value: centsIn(body.valueBrl), by: viewerOf(scope).name },
      requestId: body.requestId,
    })
    return scopes.platform().transaction(sql => findPayment(sql, params.paymentId))
  }),
  serve(payments.statement, async (scope, { params, query }, { platform: { scopes } }) => {
    const there = await reachClient(scope, scopes, params.companyId)
    return there.read(tx => statementOf(tx, query.pageNumber))
  }),
]
