import { isPaid } from '@balcao/contract/invoices.rules.ts'
import { Refusal } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { billingNow, releaseInvoice } from '../invoices/invoices.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { changeCompanyPlan, quotePlan } from './billing.change.actions.ts'
import { endOrder, isOrderPaid } from './billing.orders.actions.ts'
import { markOrderPaid, ordersDue, type PlanOrder, planOrderOf } from './billing.orders.queries.ts'

const AT_ONCE = 10

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'log' | 'stopping'>

/** Changes the plans that were ordered and paid, and ends orders that were not paid in time. True when more may wait. */
export const settleOrders = (tools: RunTools): Promise<boolean> =>
  workOff(tools, {
    name: 'billing.orders',
    atOnce: AT_ONCE,
    find: (sql, most, passed) => ordersDue(sql, tools.config.tzDefault, most, passed),
    run: async (_scope, { companyId }) =>
      settleOrder(tools.scopes.platform(), await billingNow(tools), companyId),
  })

/**
 * Changes the plan of a company whose order is paid: the invoice of the order becomes credit in one commit, which pays the new period
 * in the next. After a crash between them the next run goes on. An order that is not paid is ended.
 */
async function settleOrder(
  platform: PlatformScope,
  writing: InvoiceWriting,
  companyId: number,
): Promise<void> {
  const order = await platform.inCompany(companyId).transaction(tx => claimPaid(tx, writing))
  if (!order) return
  const { planId, recurrence } = order
  const asked = { ...{ companyId, planId, recurrence, when: 'now' as const }, isOrdered: true }
  try {
    const { due } = await quotePlan(platform, null, asked, writing.now)
    await changeCompanyPlan(platform, { viewer: null, writing }, { ...asked, due })
  } catch (error) {
    // the plan is deleted, or is the company's already: what was paid stays credit
    if (!(error instanceof Refusal) || error.code === 'ERR_PRICE_CHANGED') throw error
    await platform.inCompany(companyId).transaction(async tx => {
      await holdSubscription(tx)
      if (!(await isOrderPaid(tx))) return
      await endOrder(tx, writing)
      tx.note('an ordered plan is not changed to', { planId: order.planId, code: error.code })
    })
  }
}

async function claimPaid(tx: Tx, writing: InvoiceWriting): Promise<PlanOrder | null> {
  await holdSubscription(tx)
  const found = await planOrderOf(tx)
  if (!found) return null
  const { order, invoice } = found
  if (order.invoiceId === null) return order
  if (!invoice || !isPaid(invoice)) {
    await endOrder(tx, writing)
    return null
  }
  await markOrderPaid(tx)
  await releaseInvoice(tx, writing, invoice, 'planChanged')
  return order
}
