import {
  type BillingTerms,
  DAYS_AHEAD,
  daysFrom,
  nextPeriod,
  nextStart,
  priceOf,
} from '@balcao/contract/invoices.rules.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { settleAccountStatus } from '../companies/companies.status.actions.ts'
import {
  accountOf,
  type BilledAccount,
  lockSubscription,
  pricedFrom,
  priceOn,
  type SubscriptionRow,
  updateSubscription,
} from '../subscriptions/subscriptions.queries.ts'
import { announceNew, releaseInvoice } from './invoices.actions.ts'
import { holdSubscription } from './invoices.hold.actions.ts'
import { insertInvoice, invoicedThrough, overdueOn, pausedInvoices } from './invoices.queries.ts'
import { type InvoiceWriting, publishInvoice } from './invoices.settle.actions.ts'
import { waitsForTakeUp } from './invoices.trial.queries.ts'

/** How many periods one run catches up with; the next run continues. */
const MOST_AT_ONCE = 60

/**
 * Makes the invoices of a company that are due now, one commit per period, marks overdue ones, and settles the account's
 * status. Idempotent, also concurrently and after a crash: the subscription remembers what was billed in the same commit.
 */
export async function billCompany(scope: Scope, billing: InvoiceWriting): Promise<void> {
  for (let at = 0; at < MOST_AT_ONCE; at++) if (!(await scope.transaction(tx => billOnce(tx, billing)))) break
}

/** One period, with what else is due by now. Answers whether another one may be due. */
async function billOnce(tx: Tx, billing: InvoiceWriting): Promise<boolean> {
  const held = await holdAccount(tx, billing.now)
  // its status is settled once for all that is written here
  const writing = { ...billing, isSettledLater: true }
  const subscription = await cancelPaused(tx, writing, held)
  const isMore = await billPeriod(tx, writing, { ...held, subscription, asked: false })
  const [overdue] = await together(
    tx.sql,
    () => overdueOn(tx, held.account.today),
    () => settleAccountStatus(tx, billing.now),
  )
  for (const row of overdue) await publishInvoice(tx, row, { ...row, status: 'PENDING' }, writing)
  return isMore
}

/** What billing decides by, under the lock of the subscription. */
interface HeldAccount {
  subscription: SubscriptionRow
  account: BilledAccount
}

/** Locks the subscription (`holdSubscription`), and reads what else decides. */
async function holdAccount(tx: Tx, now: Date): Promise<HeldAccount> {
  const [known, account] = await together(
    tx.sql,
    () => lockSubscription(tx.sql, tx.companyId),
    () => accountOf(tx, now),
  )
  if (known?.adoptedAt) return { subscription: known, account }
  // the first time, a pause may be written
  const subscription = await holdSubscription(tx)
  return { subscription, account: await accountOf(tx, now) }
}

/** Invoices that were made before the company was switched off, of periods that begin behind it: they are not owed. */
async function cancelPaused(
  tx: Tx,
  billing: InvoiceWriting,
  { subscription, account: { pauses } }: HeldAccount,
): Promise<SubscriptionRow> {
  const found = pauses.length > 0 ? await pausedInvoices(tx, pauses) : []
  for (const invoice of found) await releaseInvoice(tx, billing, invoice, 'paused')
  // as far as they are the newest periods: what is behind one that stays was billed, or deleted
  let { billedThrough } = subscription
  for (const { startInvoicePeriod, endInvoicePeriod } of found.toReversed())
    if (endInvoicePeriod === billedThrough) billedThrough = daysFrom(startInvoicePeriod, -1)
  if (billedThrough !== subscription.billedThrough) await updateSubscription(tx, { billedThrough })
  return { ...subscription, billedThrough }
}

/** Makes the invoice of the period that begins with a change of plan, also where the plan has no automatic invoices. */
export async function beginPeriod(tx: Tx, billing: InvoiceWriting): Promise<void> {
  await billPeriod(tx, billing, { ...(await holdAccount(tx, billing.now)), asked: true })
}

/** False when nothing more is to be invoiced yet. `asked`: also where the plan has no automatic invoices. */
async function billPeriod(
  tx: Tx,
  billing: InvoiceWriting,
  { subscription, account, asked }: HeldAccount & { asked: boolean },
): Promise<boolean> {
  const { plan, status, today } = account
  if (!plan || status !== 1 || !(plan.automaticInvoice || asked)) return false
  const terms = billingTerms(subscription, account)
  if (await waitsForTakeUp(tx, subscription, plan, terms.trialEnd)) return false
  const next = nextStart(today, terms)
  if (!next) return false
  const [price, covered] = await together(
    tx.sql,
    () => pricedOn(tx, next.start, { ...account, plan }),
    () => invoicedThrough(tx, next.start),
  )
  if (covered) return billedBefore(tx, covered)
  if (price.cents === 0) {
    const priced = await pricedFrom(tx, next.start)
    return priced !== null && priced <= today && billedBefore(tx, daysFrom(priced, -1))
  }
  const period = nextPeriod(today, terms, price.months)
  if (!period) return false
  const { start, end, due, anchor } = period
  const invoice = {
    ...{ planId: plan.id, billingType: plan.billingType, isAutomatic: true },
    ...{ startInvoicePeriod: start, endInvoicePeriod: end, dueDate: due, anchor },
    ...{ value: price.cents, recurrence: price.months },
  }
  const [row] = await together(
    tx.sql,
    () => insertInvoice(tx, invoice),
    () => updateSubscription(tx, { billedThrough: end, anchor }),
  )
  if (row) await announceNew(tx, row, billing)
  return daysFrom(end, 1 - DAYS_AHEAD) <= today
}

/** The next invoice as things are now, the end of the trial, and whether the plan is to be taken up; nothing is written. */
export async function nextInvoiceOf(tx: Tx, subscription: SubscriptionRow, account: BilledAccount) {
  const { plan, status, today } = account
  if (!plan) return { trialEnd: null, invoice: null, waits: false }
  const terms = billingTerms(subscription, account)
  const waits = await waitsForTakeUp(tx, subscription, plan, terms.trialEnd)
  const next = status === 1 && !waits && plan.automaticInvoice ? nextStart(today, terms) : null
  const invoice = next && (await expectedInvoice(tx, next.start, { terms, account: { ...account, plan } }))
  return { trialEnd: terms.trialEnd, invoice, waits }
}

/** An account of a company that has a plan. */
type Payer = BilledAccount & { plan: PlanRow }

async function expectedInvoice(
  tx: Tx,
  start: string,
  { terms, account }: { terms: BillingTerms; account: Payer },
) {
  const { today } = account
  const price = await pricedOn(tx, start, account)
  // on the day on which it is issued
  const period = nextPeriod(start, terms, price.months)
  if (price.cents === 0 || !period) return null
  const { start: first, end } = period
  const issuedOn = [today, daysFrom(first, -DAYS_AHEAD)].toSorted().at(-1)!
  return { start: first, end, issuedOn, value: price.cents }
}

/** What the company pays for a period that begins then: a change of plan that waits counts from its day on. */
async function pricedOn(tx: Tx, day: string, { change, plan }: Payer) {
  if (change && change.fromDay <= day) return priceOf(change.terms)
  return (await priceOn(tx, day)) ?? priceOf(plan)
}

async function billedBefore(tx: Tx, billedThrough: string): Promise<true> {
  await updateSubscription(tx, { billedThrough })
  return true
}

/** What decides about the next period of the company. */
export function billingTerms(
  { billedFrom, billedThrough, anchor, trialEndsOn }: SubscriptionRow,
  { pauses, signUpTrialEnd }: BilledAccount,
): BillingTerms {
  const trialEnd = trialEndsOn ?? signUpTrialEnd
  return { from: billedFrom, through: billedThrough, anchor, trialEnd, pauses }
}
