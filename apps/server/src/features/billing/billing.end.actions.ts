import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { refuse } from '../../platform/errors.ts'
import type { Scopes, Tx } from '../../platform/scope.ts'
import { eachByItself } from '../../platform/work/jobs.ts'
import { switchOff } from '../clients/clients.actions.ts'
import { releaseInvoice } from '../invoices/invoices.actions.ts'
import { applyCredit } from '../invoices/invoices.credit.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { invoicesAhead, invoicesFrom } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import {
  accountOf,
  dropChange,
  endedSubscriptions,
  updateSubscription,
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
 * Ends the subscription of a company at the end of what is paid: invoices of periods that begin behind it are cancelled, and none is
 * made. A change of plan that waits is dropped. Refuses with ERR_PLAN_SAME where it is ended already.
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
  const ahead = (await invoicesAhead(tx, today)).filter(one => one.startInvoicePeriod > endsOn)
  for (const invoice of ahead) await releaseInvoice(tx, writing, invoice, 'ended')
  const [first] = ahead
  await updateSubscription(tx, {
    ...{ endsOn, endReason: reason, endedBy: by },
    ...(first && { billedThrough: daysFrom(first.startInvoicePeriod, -1) }),
  })
  await dropChange(tx.sql, tx.companyId)
  await applyCredit(tx, writing)
  tx.note('a subscription is ended', { endsOn })
}

/** Withdraws the end; the next billing makes what it is due. Refuses with ERR_PLAN_SAME where there is none. */
export async function goOnWith(tx: Tx): Promise<void> {
  const { endsOn } = await holdSubscription(tx)
  if (endsOn === null) return refuse('ERR_PLAN_SAME')
  await updateSubscription(tx, { endsOn: null, endReason: '', endedBy: '' })
  tx.note('the end of a subscription is withdrawn', { endsOn })
}

/** Switches companies off whose last day is over. One that is switched on again by a master goes on. */
export async function endDue(scopes: Scopes, now: Date, zone: string): Promise<void> {
  const platform = scopes.platform()
  const due = await platform.transaction(sql => endedSubscriptions(sql, now, zone))
  await eachByItself(due, companyId => switchOff(platform, companyId, zone), 'to end a subscription')
}
