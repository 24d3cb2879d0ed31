import type { PlanQuote } from '@balcao/contract/billing.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { releaseInvoice } from '../invoices/invoices.actions.ts'
import { beginPeriod, billCompany, reissueAhead } from '../invoices/invoices.billing.actions.ts'
import { applyCredit, endPeriodEarly } from '../invoices/invoices.credit.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { releaseCancelled } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { applyChange } from '../plans/plans.actions.ts'
import { findPlan } from '../plans/plans.queries.ts'
import {
  changesDue,
  dropChange,
  putChange,
  readSubscription,
  updateSubscription,
  waitingChange,
} from '../subscriptions/subscriptions.queries.ts'
import { endOrder, isOrdered, isOrderPaid, orderPlan, worksWhenPaid } from './billing.orders.actions.ts'
import { type QuotedChange, quoteChange } from './billing.quote.queries.ts'
import { planTermsOf } from './billing.terms.rules.ts'

export interface ChangeAsked {
  companyId: number
  planId: number
  recurrence: Plan['recurrence']
  when: 'now' | 'next'
  /** The cents that may be owed for a dearer plan which works at once (`trustedSum`); not stated: any. */
  trusted?: number
  /** The plan of an order that is paid; nothing is changed where the order is withdrawn. */
  ordered?: PlanRow
}

/** What another plan costs. Refuses with ERR_NO_PLAN_FOUND and as `quoteChange`. */
export async function quotePlan(
  platform: PlatformScope,
  viewer: Viewer | null,
  asked: ChangeAsked,
  now: Date,
): Promise<PlanQuote> {
  const plan = asked.ordered ?? (await offeredPlan(platform, viewer, asked.planId))
  return platform.inCompany(asked.companyId).read(async tx => {
    const change = await quoteChange(tx, await readSubscription(tx), { ...asked, plan, now })
    return { ...change.quote, worksWhenPaid: worksWhenPaid(change, asked.trusted) }
  })
}

/**
 * Changes the plan of a company at once or with its next period. The ledger, the new invoice and the waiting change are one
 * commit; the plan follows in another, after a crash by the next run of the hourly job. A dearer one for more than is trusted is
 * ordered, and changed to when it is paid. Refuses as `quotePlan`, and with ERR_PRICE_CHANGED.
 */
export async function changeCompanyPlan(
  platform: PlatformScope,
  { viewer, writing }: { viewer: Viewer | null; writing: InvoiceWriting },
  { due, ...asked }: ChangeAsked & { due: number },
): Promise<void> {
  const { companyId } = asked
  const plan = asked.ordered ?? (await offeredPlan(platform, viewer, asked.planId))
  const terms = planTermsOf(plan, asked.recurrence)
  const scope = platform.inCompany(companyId)
  // what is owed of days before today, at the current price
  await billCompany(scope, writing)
  // one whose day has come, after a crash: it would be replaced, and its period has its price
  await applyChange(platform, companyId, writing.now)
  await scope.transaction(async tx => {
    const subscription = await holdSubscription(tx)
    if (due > (asked.trusted ?? due) && (await isOrdered(tx, { ...asked, terms, due }))) return
    if (asked.ordered && !(await isOrderPaid(tx))) return
    await endOrder(tx, writing)
    const change = await quoteChange(tx, subscription, { ...asked, plan, now: writing.now })
    if (change.quote.due !== due) refuse('ERR_PRICE_CHANGED', { field: 'due' })
    if (worksWhenPaid(change, asked.trusted)) return orderPlan(tx, writing, change)
    await putChange(tx, { fromDay: change.quote.from, terms: change.terms })
    if (asked.when === 'now') await closePeriods(tx, writing, change)
    if (asked.when === 'now' && change.begins) await beginPeriod(tx, writing)
    if (asked.when === 'next') await reissueAhead(tx, writing)
    tx.note('a company changes its plan', { planId: asked.planId, when: asked.when, due })
  })
  await applyChange(platform, companyId, writing.now)
  await billCompany(scope, writing)
}

/** The current period costs what was used of it; invoices of later periods are cancelled. */
async function closePeriods(
  tx: Tx,
  writing: InvoiceWriting,
  { held, today, closed }: QuotedChange,
): Promise<void> {
  for (const invoice of held)
    if (invoice.startInvoicePeriod >= today) await releaseInvoice(tx, writing, invoice, 'planChanged')
    else await endPeriodEarly(tx, writing, invoice, today)
  await releaseCancelled(tx, today)
  await updateSubscription(tx, closed)
  // what was owed before is paid before the period that begins
  await applyCredit(tx, writing)
}

/** Applies the changes of plan whose day has come, each company separately; what is due before is billed at the old price. */
export async function applyChanges(scopes: Scopes, writing: InvoiceWriting): Promise<void> {
  const platform = scopes.platform()
  const due = await platform.transaction(sql => changesDue(sql, writing.now))
  const apply = async (companyId: number) => {
    // periods of days on which nothing ran: while the change waits, each has its own price
    await billCompany(platform.inCompany(companyId), writing)
    await applyChange(platform, companyId, writing.now)
  }
  await eachByItself(due, apply, 'to change a plan')
}

/**
 * Withdraws a change that waits, or is ordered and not paid; one whose day has come is not withdrawn. An invoice that was made for
 * it already is cancelled, and is made again at the price of the plan that stays by the next billing.
 */
export async function keepPlan(tx: Tx, writing: InvoiceWriting): Promise<void> {
  await holdSubscription(tx)
  await endOrder(tx, writing)
  const waiting = await waitingChange(tx)
  if (!waiting || waiting.fromDay <= (await dayThere(tx, writing.now))) return
  await dropChange(tx.sql, tx.companyId)
  await reissueAhead(tx, writing)
}

/** Users choose what is offered, masters and the platform itself any plan of the platform. */
async function offeredPlan(platform: PlatformScope, viewer: Viewer | null, planId: number): Promise<PlanRow> {
  const plan = await platform.transaction(sql => findPlan(sql, planId))
  const isOffered = plan.companyId === null && (plan.status || viewer === null || may(viewer, 'master'))
  return isOffered ? plan : refuse('ERR_NO_PLAN_FOUND', { field: 'planId' })
}
