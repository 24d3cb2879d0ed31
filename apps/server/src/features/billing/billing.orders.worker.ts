import { isOwed, isPaid } from '@balcao/contract/invoices.rules.ts'
import { Refusal, refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import type { DueTools } from '../../platform/work/due.ts'
import { workOff } from '../../platform/work/due-rows.ts'
import { billingNow, releaseInvoice } from '../invoices/invoices.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import type { InvoiceRow } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { changeCompanyPlan, quotePlan } from './billing.change.actions.ts'
import { endOrder, isOrderPaid, lapseOrder, orderedPlan } from './billing.orders.actions.ts'
import { LEAST_ORDER, markOrder, ordersDue, type PlanOrder, planOrderOf } from './billing.orders.queries.ts'

const AT_ONCE = 10

type RunTools = Pick<DueTools, 'scopes' | 'memory' | 'config' | 'log' | 'stopping'>

/** Changes the plans that were ordered and paid, and ends orders whose days are over. True when more may wait. */
export const settleOrders = (tools: RunTools): Promise<boolean> =>
  workOff(tools, {
    name: 'billing.orders',
    atOnce: AT_ONCE,
    find: (sql, most, passed) => ordersDue(sql, tools.config.tzDefault, most, { passed }),
    run: async (_scope, { companyId }) =>
      settleOrder(tools.scopes.platform(), await billingNow(tools), companyId),
  })

/**
 * Changes the plan of a company whose order is paid: the invoice of the order becomes credit in one commit, which pays the new period
 * in the next. After a crash between them the next run goes on. An order that is not paid in time lapses, and ends some days later.
 */
export async function settleOrder(
  platform: PlatformScope,
  writing: InvoiceWriting,
  companyId: number,
): Promise<void> {
  const order = await platform.inCompany(companyId).transaction(tx => claimPaid(tx, writing))
  if (!order) return
  const { planId, recurrence } = order
  try {
    const ordered = (await orderedPlan(platform, order)) ?? refuse('ERR_NO_PLAN_FOUND')
    const asked = { ...{ companyId, planId, recurrence, when: 'now' as const }, ordered }
    const { due } = await quotePlan(platform, null, asked, writing.now)
    await changeCompanyPlan(platform, { viewer: null, writing }, { ...asked, due })
  } catch (error) {
    // the plan is the company's already, or is another one by now: what was paid stays credit
    if (!(error instanceof Refusal) || error.code === 'ERR_PRICE_CHANGED') throw error
    await platform.inCompany(companyId).transaction(async tx => {
      await holdSubscription(tx)
      if (!(await isOrderPaid(tx))) return
      await endOrder(tx, writing)
      tx.note('an ordered plan is not changed to', { planId, code: error.code })
    })
  }
}

async function claimPaid(tx: Tx, writing: InvoiceWriting): Promise<PlanOrder | null> {
  await holdSubscription(tx)
  const found = await planOrderOf(tx)
  if (!found) return null
  const { order, invoice } = found
  if (order.invoiceId === null) return order
  // its days to come late are over, too
  if (!invoice || order.lapsedValue !== null) {
    await endOrder(tx, writing)
    return null
  }
  if (!isPaidEnough(invoice)) {
    // whoever cancelled it meanwhile wants no change
    await (isOwed(invoice) ? lapseOrder(tx, writing, invoice) : endOrder(tx, writing))
    return null
  }
  await markOrder(tx, { invoiceId: null })
  await releaseInvoice(tx, writing, invoice, 'planChanged')
  return order
}

/** What is left of it is less than can be charged: that is owed in the new period. */
const isPaidEnough = (invoice: InvoiceRow) =>
  isPaid(invoice) || (isOwed(invoice) && invoice.value - invoice.paidValue < LEAST_ORDER)
