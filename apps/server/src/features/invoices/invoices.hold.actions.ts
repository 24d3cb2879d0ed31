import { databaseTime } from '../../platform/clock.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import {
  openSubscription,
  type SubscriptionRow,
  updateSubscription,
} from '../subscriptions/subscriptions.queries.ts'
import { adoptPaidInvoices } from './invoices.adopt.queries.ts'

/**
 * Locks the subscription of the company until the commit. Whatever changes more than one row of its invoices, charges, payments
 * and its plan does this first, so the order in which it locks those does not matter. The first time, paid invoices of
 * earlier versions get their payments.
 */
export async function holdSubscription(tx: Tx): Promise<SubscriptionRow> {
  const subscription = await openSubscription(tx)
  if (subscription.adoptedAt !== null) return subscription
  await adoptPaidInvoices(tx)
  const adoptedAt = databaseTime()
  await updateSubscription(tx, { adoptedAt })
  return { ...subscription, adoptedAt }
}

/** A transaction of a company whose subscription is locked first. */
export const holdingSubscription = <Result>(
  scope: Scope,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  scope.transaction(async tx => {
    await holdSubscription(tx)
    return work(tx)
  })
