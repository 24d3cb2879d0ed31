import type { PlanQuote } from '@balcao/contract/billing.ts'
import { restOf } from '@balcao/contract/ledger.rules.ts'
import { may, type Viewer } from '@balcao/contract/permissions.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { dayThere } from '../companies/companies.queries.ts'
import { releaseInvoice } from '../invoices/invoices.actions.ts'
import { beginPeriod, billCompany } from '../invoices/invoices.billing.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { allocate, insertPayment } from '../invoices/invoices.ledger.queries.ts'
import { type InvoiceRow, releaseCancelled } from '../invoices/invoices.queries.ts'
import { type InvoiceWriting, settleInvoice } from '../invoices/invoices.settle.actions.ts'
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
import { type QuotedChange, quoteChange } from './billing.quote.queries.ts'

export interface ChangeAsked {
  companyId: number
  planId: number
  recurrence: Plan['recurrence']
  when: 'now' | 'next'
}

/** What another plan costs. Refuses with ERR_NO_PLAN_FOUND and as `quoteChange`. */
export async function quotePlan(
  platform: PlatformScope,
  viewer: Viewer,
  asked: ChangeAsked,
  now: Date,
): Promise<PlanQuote> {
  const plan = await offeredPlan(platform, viewer, asked.planId)
  return platform.inCompany(asked.companyId).read(async tx => {
    const { quote } = await quoteChange(tx, await readSubscription(tx), { ...asked, plan, now })
    return quote
  })
}

/**
 * Changes the plan of a company at once or with its next period. The ledger, the new invoice and the waiting change are one
 * commit; the plan follows in another, after a crash by the next run of the hourly job. Refuses as `quotePlan`, and with
 * ERR_PRICE_CHANGED.
 */
export async function changeCompanyPlan(
  platform: PlatformScope,
  { viewer, writing }: { viewer: Viewer; writing: InvoiceWriting },
  { due, ...asked }: ChangeAsked & { due: number },
): Promise<void> {
  const { companyId } = asked
  const plan = await offeredPlan(platform, viewer, asked.planId)
  const scope = platform.inCompany(companyId)
  // what is owed of days before today, at the current price
  await billCompany(scope, writing)
  await scope.transaction(async tx => {
    const subscription = await holdSubscription(tx)
    const change = await quoteChange(tx, subscription, { ...asked, plan, now: writing.now })
    if (change.quote.due !== due) refuse('ERR_PRICE_CHANGED', { field: 'due' })
    await putChange(tx, { fromDay: change.quote.from, terms: change.terms })
    if (asked.when === 'now') await closePeriods(tx, writing, change)
    if (asked.when === 'now' && change.begins) await beginPeriod(tx, writing)
    tx.note('a company changes its plan', { planId: asked.planId, when: asked.when, due })
  })
  await applyChange(platform, companyId, writing.now)
  await billCompany(scope, writing)
}

/** The rest of what was invoiced becomes credit; invoices of later periods are cancelled. */
async function closePeriods(
  tx: Tx,
  writing: InvoiceWriting,
  { held, today, quote, closed }: QuotedChange,
): Promise<void> {
  for (const invoice of held)
    if (invoice.startInvoicePeriod >= today) await releaseInvoice(tx, writing, invoice, 'planChanged')
    else await creditRest(tx, writing, invoice, { today, note: quote.plan.name })
  await releaseCancelled(tx, today)
  await updateSubscription(tx, closed)
}

async function creditRest(
  tx: Tx,
  writing: InvoiceWriting,
  invoice: InvoiceRow,
  { today, note }: { today: string; note: string },
): Promise<void> {
  const value = restOf(invoice, today)
  if (value > 0) {
    const payment = (await insertPayment(tx, { source: 'credit', value, paidOn: today, note }))!
    // what it does not owe any more is settled by it first
    const owed = Math.min(value, invoice.value - invoice.paidValue)
    if (owed > 0) await allocate(tx, { paymentId: payment.id, invoiceId: invoice.id, value: owed })
  }
  await settleInvoice(tx, invoice.id, writing, { releasedFrom: today })
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

/** Withdraws a change that waits; one whose day has come is not withdrawn. */
export async function keepPlan(tx: Tx, now: Date): Promise<void> {
  await holdSubscription(tx)
  const waiting = await waitingChange(tx)
  if (waiting && waiting.fromDay > (await dayThere(tx, now))) await dropChange(tx.sql, tx.companyId)
}

/** Users choose what is offered, masters any plan of the platform. */
async function offeredPlan(platform: PlatformScope, viewer: Viewer, planId: number): Promise<PlanRow> {
  const plan = await platform.transaction(sql => findPlan(sql, planId))
  const isOffered = plan.companyId === null && (plan.status || may(viewer, 'master'))
  return isOffered ? plan : refuse('ERR_NO_PLAN_FOUND', { field: 'planId' })
}
