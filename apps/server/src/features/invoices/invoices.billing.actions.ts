import { UNPAID_PERIODS } from '@balcao/contract/companies.ts'
import {
  type BillingTerms,
  DAYS_AHEAD,
  daysFrom,
  nextPeriod,
  nextStart,
  priceOf,
} from '@balcao/contract/invoices.rules.ts'
import { periodPriceOf } from '@balcao/contract/ledger.rules.ts'
import { discounted, readjusted } from '@balcao/contract/pricing.rules.ts'
import { refuse } from '../../platform/errors.ts'
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
import { applyCredit, carryRests } from './invoices.credit.actions.ts'
import { holdSubscription } from './invoices.hold.actions.ts'
import {
  type InvoiceRow,
  insertInvoice,
  invoicedThrough,
  invoicesAhead,
  overdueOn,
  pausedInvoices,
  restsBelowLeast,
} from './invoices.queries.ts'
import { type InvoiceWriting, publishInvoice } from './invoices.settle.actions.ts'
import { waitsForTakeUp } from './invoices.trial.queries.ts'
import { type UnpaidRun, unpaidInARow } from './invoices.unpaid.queries.ts'

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
  const billedThrough = await unbill(tx, subscription, found)
  return { ...subscription, billedThrough }
}

/** Periods whose invoices were cancelled before they began can be billed again. */
async function unbill(tx: Tx, { billedThrough: known }: SubscriptionRow, released: InvoiceRow[]) {
  // as far as they are the newest periods: what is behind one that stays was billed, or deleted
  let billedThrough = known
  for (const { startInvoicePeriod, endInvoicePeriod } of released.toReversed())
    if (endInvoicePeriod === billedThrough) billedThrough = daysFrom(startInvoicePeriod, -1)
  if (billedThrough !== known) await updateSubscription(tx, { billedThrough })
  return billedThrough
}

/**
 * Cancels invoices of periods that have not begun, from the first one on that a change of plan, or its withdrawal, gives another
 * price. The next billing makes them anew; what was paid of them is credit until then.
 */
export async function reissueAhead(tx: Tx, writing: InvoiceWriting): Promise<void> {
  const { subscription, account } = await holdAccount(tx, writing.now)
  const { plan, today } = account
  const ahead = plan ? await invoicesAhead(tx, today) : []
  for (const [at, invoice] of ahead.entries()) {
    const price = await pricedOn(tx, invoice.startInvoicePeriod, { ...account, plan: plan! })
    if (price.cents === periodPriceOf(invoice) + invoice.discountValue && price.months === invoice.recurrence)
      continue
    const released = ahead.slice(at)
    for (const one of released) await releaseInvoice(tx, writing, one, 'planChanged')
    await unbill(tx, subscription, released)
    break
  }
  await applyCredit(tx, writing)
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
  if (!next || isEnding(subscription)) return false
  const [price, covered, rests, unpaid] = await together(
    tx.sql,
    () => pricedOn(tx, next.start, { ...account, plan }),
    () => invoicedThrough(tx, next.start),
    () => restsBelowLeast(tx),
    () =>
      unpaidInARow(tx, {
        most: billing.unpaidPeriods ?? UNPAID_PERIODS,
        ...{ before: next.start, today, from: subscription.unpaidFrom },
      }),
  )
  if (covered) return billedBefore(tx, covered)
  if (!asked && (subscription.unpaidSince !== null || unpaid.are !== 'paid'))
    return stopUnpaid(tx, subscription, { unpaid, start: next.start, today })
  if (price.cents === 0) {
    const priced = await pricedFrom(tx, next.start)
    return priced !== null && priced <= today && billedBefore(tx, daysFrom(priced, -1))
  }
  const period = nextPeriod(today, terms, price.months)
  if (!period) return false
  const { start, end, due, anchor } = period
  const discount = discounted(price.cents, account.discounts)
  const invoice = {
    ...{ planId: plan.id, billingType: plan.billingType, isAutomatic: true },
    ...{ startInvoicePeriod: start, endInvoicePeriod: end, dueDate: due, anchor },
    ...{ value: price.cents - (discount?.value ?? 0), recurrence: price.months },
    ...(discount && { discountId: discount.id, discountValue: discount.value }),
  }
  const [row] = await together(
    tx.sql,
    () => insertInvoice(tx, invoice),
    () => updateSubscription(tx, { billedThrough: end, anchor }),
  )
  if (row) await announceNew(tx, await carryRests(tx, billing, { row, rests }), billing)
  return daysFrom(end, 1 - DAYS_AHEAD) <= today
}

/** What is due before the last day was billed when the end was planned: whatever changes until then, no period begins. */
const isEnding = ({ endsOn }: SubscriptionRow) => endsOn !== null

/**
 * The company paid none of its last periods: from the one that would begin on `start` none is billed, or today is too early to
 * know. Once stopped billing goes on when one of them is paid, not when they are cancelled; days between are not billed. Answers
 * whether it goes on.
 */
async function stopUnpaid(
  tx: Tx,
  { unpaidSince }: SubscriptionRow,
  { unpaid: { are, from, isPaidSince }, start, today }: { unpaid: UnpaidRun; start: string; today: string },
): Promise<boolean> {
  if (unpaidSince !== null) {
    const isPaid = are === 'paid' && isPaidSince
    if (isPaid)
      await updateSubscription(tx, { unpaidSince: null, ...(start < today && { billedFrom: today }) })
    // a change of plan since has cut the period that it was behind
    else if (start < unpaidSince) await updateSubscription(tx, { unpaidSince: start })
    return isPaid
  }
  if (are === 'late') {
    await updateSubscription(tx, { unpaidSince: start, unpaidFrom: from })
    tx.note('billing stops, since the last periods were not paid', { unpaidSince: start })
  }
  return false
}

/**
 * A master takes up again a company whose billing stopped: periods are billed from today, or from the day on which it would have
 * stopped. Refuses with ERR_PLAN_SAME where it did not stop.
 */
export async function takeUpUnpaid(tx: Tx, now: Date): Promise<void> {
  const { subscription, account } = await holdAccount(tx, now)
  const { unpaidSince } = subscription
  if (unpaidSince === null) return refuse('ERR_PLAN_SAME')
  const { today } = account
  const unpaidFrom = [unpaidSince, today].toSorted().at(-1)!
  await updateSubscription(tx, {
    unpaidSince: null,
    unpaidFrom,
    ...(unpaidSince < today && { billedFrom: today }),
  })
  tx.note('a company that did not pay is billed again', { unpaidFrom })
}

/** The next invoice as things are now, the end of the trial, and whether the plan is to be taken up; nothing is written. */
export async function nextInvoiceOf(tx: Tx, subscription: SubscriptionRow, account: BilledAccount) {
  const { plan, status, today } = account
  if (!plan) return { trialEnd: null, invoice: null, waits: false }
  const terms = billingTerms(subscription, account)
  const waits = await waitsForTakeUp(tx, subscription, plan, terms.trialEnd)
  const isBilled = status === 1 && !waits && plan.automaticInvoice && subscription.unpaidSince === null
  const next = isBilled ? nextStart(today, terms) : null
  const invoice =
    next &&
    !isEnding(subscription) &&
    (await expectedInvoice(tx, next.start, { terms, account: { ...account, plan } }))
  return { trialEnd: terms.trialEnd, invoice: invoice || null, waits }
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
  const value = price.cents - (discounted(price.cents, account.discounts)?.value ?? 0)
  return { start: first, end, issuedOn, value }
}

/** What a period that begins then costs before discounts: a change or readjustment that waits counts from its day on. */
async function pricedOn(tx: Tx, day: string, { change, plan, readjustment }: Payer) {
  if (change && change.fromDay <= day) return priceOf(change.terms)
  const price = (await priceOn(tx, day)) ?? priceOf(plan)
  if (!readjustment || readjustment.from > day) return price
  return { ...price, cents: readjusted(price.cents / price.months, readjustment.rate) * price.months }
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
