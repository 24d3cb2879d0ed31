import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { switchOff } from '../clients/clients.actions.ts'
import { releaseInvoice } from '../invoices/invoices.actions.ts'
import { applyCredit, endPeriodEarly } from '../invoices/invoices.credit.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { invoicesFrom } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { endedSubscriptions } from '../subscriptions/subscriptions.ends.queries.ts'
import {
  accountOf,
  dropChange,
  type SubscriptionRow,
  updateSubscription,
  waitingChange,
} from '../subscriptions/subscriptions.queries.ts'
import { withdrawOrder } from './billing.orders.actions.ts'

/** The last day that is paid without a gap, or that the trial gives; today where nothing is. */
export async function paidThrough(tx: Tx, { today, trialEnd }: { today: string; trialEnd: string | null }) {
  let last = trialEnd !== null && trialEnd > today ? daysFrom(trialEnd, -1) : today
  for (const { startInvoicePeriod, endInvoicePeriod, value, paidValue } of await invoicesFrom(tx, today))
    if (paidValue >= value && startInvoicePeriod <= daysFrom(last, 1) && endInvoicePeriod > last)
      last = endInvoicePeriod
  return last
}

/**
 * Ends the subscription of a company at the end of what is paid: a period that is not paid costs what runs of it, invoices of later
 * ones are cancelled, and none is made. A change of plan that waits for a later day is dropped. Refuses with ERR_PLAN_SAME where it is
 * ended already.
 */
export async function endSubscription(
  tx: Tx,
  writing: InvoiceWriting,
  { reason, by }: { reason: string; by: string },
): Promise<void> {
  const subscription = await holdSubscription(tx)
  if (subscription.endsOn !== null) return refuse('ERR_PLAN_SAME')
  await withdrawOrder(tx, writing)
  const { today, signUpTrialEnd } = await accountOf(tx, writing.now)
  const endsOn = await paidThrough(tx, { today, trialEnd: subscription.trialEndsOn ?? signUpTrialEnd })
  const billedThrough = await closeBehind(tx, writing, { subscription, endsOn })
  await updateSubscription(tx, { endsOn, endReason: reason, endedBy: by, billedThrough })
  // one whose day comes before has invoices at its price
  const change = await waitingChange(tx)
  if (change && change.fromDay > endsOn) await dropChange(tx.sql, tx.companyId)
  await applyCredit(tx, writing)
  tx.note('a subscription is ended', { endsOn })
}

/** Invoices hold no day behind the last. Answers what is billed then, so that it is billed again where the end is withdrawn. */
async function closeBehind(
  tx: Tx,
  writing: InvoiceWriting,
  { subscription, endsOn }: { subscription: SubscriptionRow; endsOn: string },
): Promise<string | null> {
  let { billedThrough } = subscription
  const after = daysFrom(endsOn, 1)
  for (const invoice of (await invoicesFrom(tx, after)).toReversed()) {
    const { startInvoicePeriod: start, endInvoicePeriod: end } = invoice
    if (start > endsOn) await releaseInvoice(tx, writing, invoice, 'ended')
    else await endPeriodEarly(tx, writing, invoice, after)
    // what is behind one that stays was billed, or deleted
    if (end === billedThrough) billedThrough = start > endsOn ? daysFrom(start, -1) : endsOn
  }
  return billedThrough
}

/** Withdraws the end; the next billing makes what it is due. Refuses with ERR_PLAN_SAME where there is none. */
export async function goOnWith(tx: Tx): Promise<void> {
  const { endsOn } = await holdSubscription(tx)
  if (endsOn === null) return refuse('ERR_PLAN_SAME')
  await updateSubscription(tx, { endsOn: null, endReason: '', endedBy: '' })
  tx.note('the end of a subscription is withdrawn', { endsOn })
}

/** Switches companies off whose last day is over. */
export async function endDue(scopes: Scopes, now: Date, zone: string): Promise<void> {
  const platform = scopes.platform()
  const due = await platform.transaction(sql => endedSubscriptions(sql, now, zone))
  const end = (companyId: number) => switchOff(platform, companyId, { timeZone: zone, now })
  await eachByItself(due, end, 'to end a subscription')
}
