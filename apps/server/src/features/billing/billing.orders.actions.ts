import type { PlanQuote } from '@balcao/contract/billing.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { settingNow } from '../companies/companies.settings.queries.ts'
import { announceNew, isPayable, releaseInvoice } from '../invoices/invoices.actions.ts'
import { applyCredit } from '../invoices/invoices.credit.actions.ts'
import { creditOf } from '../invoices/invoices.ledger.queries.ts'
import { type InvoiceRow, insertInvoice } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { accountOf } from '../subscriptions/subscriptions.queries.ts'
import {
  deleteOrder,
  insertOrder,
  LEAST_ORDER,
  markOrder,
  type PlanOrder,
  planOrderOf,
} from './billing.orders.queries.ts'
import type { QuotedChange } from './billing.quote.queries.ts'
import { hasSameTerms, planOfTerms, planTermsOf } from './billing.terms.rules.ts'

/** Days in which an ordered plan is paid; then the order ends. */
const DAYS_TO_PAY = 5

/** The cents that whoever changes the plan may owe for it: masters any, users what the operator trusts. */
export async function trustedSum(platform: PlatformScope, viewer: Viewer): Promise<number> {
  if (may(viewer, 'master')) return Number.POSITIVE_INFINITY
  const trusted = await platform.transaction(sql => settingNow(sql, 'upgradeTrust'))
  return trusted === '' ? Number.POSITIVE_INFINITY : Number(trusted) * 100
}

/** Whether a change of plan waits until it is paid: one to a dearer plan, at once, for more than is trusted. */
export const worksWhenPaid = (
  { isDearer, quote }: Pick<QuotedChange, 'isDearer'> & { quote: Pick<PlanQuote, 'due' | 'when'> },
  trusted = Number.POSITIVE_INFINITY,
): boolean => isDearer && quote.when === 'now' && quote.due >= LEAST_ORDER && quote.due > trusted

/**
 * Makes the invoice of a change of plan, which is made when it is paid. Free credit is a part of what it asks for, and pays that part.
 * The subscription is locked, and there is no other order.
 */
export async function orderPlan(
  tx: Tx,
  writing: InvoiceWriting,
  { quote, today, terms }: QuotedChange,
): Promise<void> {
  const { plan } = await accountOf(tx, writing.now)
  if (!plan) return refuse('ERR_NO_COMPANY_PLAN')
  const free = (await creditOf(tx)).reduce((sum, one) => sum + one.free, 0)
  const row = (await insertInvoice(tx, {
    ...{ planId: plan.id, billingType: plan.billingType, value: quote.due + free },
    description: `Troca para o plano ${quote.plan.name}`,
    dueDate: daysFrom(today, DAYS_TO_PAY),
    // it holds no day, and counts in no month
    ...{ startInvoicePeriod: today, endInvoicePeriod: today, releasedFrom: today },
    ...{ recurrence: 1 as const, anchor: Number(today.slice(8)) },
  }))!
  await announceNew(tx, row, writing)
  const { id: planId, name: planName } = quote.plan
  await insertOrder(tx, { planId, planName, recurrence: terms.recurrence, terms, invoiceId: row.id })
  tx.note('a dearer plan is ordered', { planId: quote.plan.id, due: quote.due })
}

/**
 * Withdraws the order of the company, if it has one (true): its invoice is cancelled, and what was paid of it is credit. The
 * subscription is locked.
 */
export async function withdrawOrder(tx: Tx, writing: InvoiceWriting): Promise<boolean> {
  const found = await planOrderOf(tx)
  if (!found) return false
  await deleteOrder(tx)
  if (found.invoice && found.invoice.cancelledAt === null)
    await releaseInvoice(tx, writing, found.invoice, 'orderEnded')
  return true
}

/** The days to pay an order are over: its invoice is cancelled, and what comes later may still change the plan. */
export async function lapseOrder(tx: Tx, writing: InvoiceWriting, invoice: InvoiceRow): Promise<void> {
  await markOrder(tx, { lapsedValue: invoice.value - invoice.paidValue })
  await releaseInvoice(tx, writing, invoice, 'orderEnded')
  await applyCredit(tx, writing)
}

/** Money for an order came after its days: where it is all that was asked for, the order is paid. */
export async function payLapsed(
  tx: Tx,
  { invoiceId, value }: { invoiceId: number; value: number },
): Promise<void> {
  const order = (await planOrderOf(tx))?.order
  if (order?.invoiceId !== invoiceId || order.lapsedValue === null || value < order.lapsedValue) return
  await markOrder(tx, { invoiceId: null })
  tx.note('an order is paid after its days', { planId: order.planId })
}

/** Withdraws the order, if there is one, and pays with its credit what is owed. */
export async function endOrder(tx: Tx, writing: InvoiceWriting): Promise<void> {
  if (await withdrawOrder(tx, writing)) await applyCredit(tx, writing)
}

/** Whether the company has an order whose plan is to be changed to: another may have been made since it was found. */
export const isOrderPaid = async (tx: Tx): Promise<boolean> =>
  (await planOrderOf(tx))?.order.invoiceId === null

/** Whether a change that is asked for waits already until so much is paid: it was asked for twice. */
export async function isOrdered(
  tx: Tx,
  {
    planId,
    terms,
    when,
    due,
  }: { planId: number; terms: QuotedChange['terms'] } & Pick<PlanQuote, 'when' | 'due'>,
): Promise<boolean> {
  const { order, invoice = null } = (await planOrderOf(tx)) ?? {}
  return (
    when === 'now' &&
    order?.planId === planId &&
    order.recurrence === terms.recurrence &&
    (order.terms === null || hasSameTerms(order.terms, terms)) &&
    isPayable(invoice) &&
    invoice.value - invoice.paidValue === due
  )
}

/** The plan that an order is changed to: what was promised, or what is on sale where its days were over. Null: that is another one. */
export async function orderedPlan(
  platform: PlatformScope,
  { planId, terms, lapsedValue, recurrence }: PlanOrder,
): Promise<PlanRow | null> {
  const isLate = lapsedValue !== null
  if (terms && !isLate) return planOfTerms(planId, terms)
  const plan = await platform.transaction(sql => findPlan(sql, planId))
  if (!isLate) return plan // ordered in a version that kept no terms
  const isOnSale = plan.companyId === null && plan.status
  return isOnSale && (!terms || hasSameTerms(terms, planTermsOf(plan, recurrence))) ? plan : null
}
