import type { Subscription } from '@balcao/contract/billing.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { databaseDate } from '../../platform/clock.ts'
import type { Tx } from '../../platform/scope.ts'
import { nextInvoiceOf } from '../invoices/invoices.billing.actions.ts'
import { creditOf } from '../invoices/invoices.ledger.queries.ts'
import { accountOf, listPauses, type SubscriptionRow } from '../subscriptions/subscriptions.queries.ts'
import { paidThrough } from './billing.end.actions.ts'
import { planOrderOf } from './billing.orders.queries.ts'

/** How a company is billed, as users see it; nothing is written or locked. */
export async function shownSubscription(
  tx: Tx,
  subscription: SubscriptionRow,
): Promise<Omit<Subscription, 'mayEnd'>> {
  const { companyId, billedFrom, billedThrough, unpaidSince, endsOn, endReason } = subscription
  const account = await accountOf(tx, databaseDate())
  const { today, change, plan } = account
  const next = await nextInvoiceOf(tx, subscription, account)
  const credit = (await creditOf(tx)).reduce((sum, { free }) => sum + free, 0)
  return {
    ...{ companyId, billedFrom, billedThrough, unpaidSince, endsOn, endReason },
    isAutomatic: plan?.automaticInvoice ?? false,
    trialEndsOn: next.trialEnd !== null && next.trialEnd > today ? next.trialEnd : null,
    isResting: next.waits && next.trialEnd !== null && next.trialEnd <= today,
    nextInvoice: next.invoice && { ...next.invoice, valueBrl: brl(next.invoice.value) },
    ...{ credit, creditBrl: brl(credit) },
    change: change && {
      ...{ from: change.fromDay, planName: change.terms.name, recurrence: change.terms.recurrence },
    },
    order: await shownOrder(tx),
    paidThrough: await paidThrough(tx, { today, trialEnd: next.trialEnd }),
    pauses: await listPauses(tx),
  }
}

/** The plan that waits until its invoice is paid. */
async function shownOrder(tx: Tx): Promise<Subscription['order']> {
  const found = await planOrderOf(tx)
  if (!found?.invoice || found.order.lapsedValue !== null) return null
  const { order, invoice } = found
  const due = invoice.value - invoice.paidValue
  return {
    ...{ planName: order.planName, recurrence: order.recurrence, invoiceId: invoice.id },
    ...{ due, dueBrl: brl(due), payBy: invoice.dueDate },
  }
}
