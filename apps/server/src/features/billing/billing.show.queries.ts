import type { Subscription } from '@balcao/contract/billing.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import type { Tx } from '../../platform/scope.ts'
import { nextInvoiceOf } from '../invoices/invoices.billing.actions.ts'
import { creditOf } from '../invoices/invoices.ledger.queries.ts'
import { accountOf, listPauses, type SubscriptionRow } from '../subscriptions/subscriptions.queries.ts'

/** How a company is billed, as users see it; nothing is written or locked. */
export async function shownSubscription(tx: Tx, subscription: SubscriptionRow): Promise<Subscription> {
  const { companyId, billedFrom, billedThrough } = subscription
  const account = await accountOf(tx, new Date())
  const { today, change, plan } = account
  const next = await nextInvoiceOf(tx, subscription, account)
  const credit = (await creditOf(tx)).reduce((sum, { free }) => sum + free, 0)
  return {
    ...{ companyId, billedFrom, billedThrough },
    isAutomatic: plan?.automaticInvoice ?? false,
    trialEndsOn: next.trialEnd !== null && next.trialEnd > today ? next.trialEnd : null,
    isResting: next.waits && next.trialEnd !== null && next.trialEnd <= today,
    nextInvoice: next.invoice && { ...next.invoice, valueBrl: brl(next.invoice.value) },
    ...{ credit, creditBrl: brl(credit) },
    change: change && {
      ...{ from: change.fromDay, planName: change.terms.name, recurrence: change.terms.recurrence },
    },
    pauses: await listPauses(tx),
  }
}
