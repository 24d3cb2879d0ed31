import type { PlanQuote } from '@balcao/contract/billing.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { settingNow } from '../companies/companies.settings.queries.ts'
import { announceNew, isPayable, releaseInvoice } from '../invoices/invoices.actions.ts'
import { applyCredit } from '../invoices/invoices.credit.actions.ts'
import { creditOf } from '../invoices/invoices.ledger.queries.ts'
import { insertInvoice } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { accountOf } from '../subscriptions/subscriptions.queries.ts'
import { deleteOrder, insertOrder, type PlanOrder, planOrderOf } from './billing.orders.queries.ts'
import type { QuotedChange } from './billing.quote.queries.ts'

/** Days in which an ordered plan is paid; then the order ends. */
const DAYS_TO_PAY = 5
/** Less than this cannot be charged by every provider: it is owed, and the plan changes at once. */
const LEAST_ORDER = 500

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
  { quote, today }: QuotedChange,
  recurrence: Plan['recurrence'],
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
  await insertOrder(tx, { planId: quote.plan.id, planName: quote.plan.name, recurrence, invoiceId: row.id })
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
    await releaseInvoice(tx, writing, found.invoice, 'planChanged')
  return true
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
    recurrence,
    when,
    due,
  }: Pick<PlanOrder, 'planId' | 'recurrence'> & Pick<PlanQuote, 'when' | 'due'>,
): Promise<boolean> {
  const { order, invoice = null } = (await planOrderOf(tx)) ?? {}
  return (
    when === 'now' &&
    order?.planId === planId &&
    order.recurrence === recurrence &&
    isPayable(invoice) &&
    invoice.value - invoice.paidValue === due
  )
}
