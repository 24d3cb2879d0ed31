import type { PlanQuote } from '@balcao/contract/billing.ts'
import { daysFrom, nextStart, priceOf } from '@balcao/contract/invoices.rules.ts'
import { brl, isPriced } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { discounted, type OpenDiscount } from '@balcao/contract/pricing.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { billingTerms } from '../invoices/invoices.billing.actions.ts'
import { unusedOf } from '../invoices/invoices.credit.actions.ts'
import { creditOf } from '../invoices/invoices.ledger.queries.ts'
import { type InvoiceRow, invoicesAhead, invoicesFrom, openInvoices } from '../invoices/invoices.queries.ts'
import { shownPlan } from '../plans/plans.queries.ts'
import {
  accountOf,
  type BilledAccount,
  type SubscriptionRow,
} from '../subscriptions/subscriptions.queries.ts'
import type { PlanTerms } from '../subscriptions/subscriptions.table.ts'
import { planOrderOf } from './billing.orders.queries.ts'
import { hasSameTerms, planTermsOf } from './billing.terms.rules.ts'

export interface ChosenPlan {
  plan: PlanRow
  recurrence: Plan['recurrence']
  when: 'now' | 'next'
  now: Date
}

export interface QuotedChange {
  quote: Omit<PlanQuote, 'worksWhenPaid'>
  /** Whether a month of it costs more than one of the current plan. */
  isDearer: boolean
  terms: PlanTerms
  today: string
  /** Invoices of days from today on: what of them is not used up is credited, or they are cancelled. */
  held: InvoiceRow[]
  /** Whether a period begins today: not in a trial, during a pause, or of a company that is switched off. */
  begins: boolean
  /** What a change at once makes of the subscription. */
  closed: Partial<SubscriptionRow>
}

/**
 * What a change of plan costs; nothing is written. Refuses with ERR_NO_COMPANY_PLAN, ERR_PLAN_SAME, ERR_PLAN_UNPRICED, and with
 * ERR_SUBSCRIPTION_ENDED where a last day is planned, or is over.
 */
export async function quoteChange(
  tx: Tx,
  subscription: SubscriptionRow,
  { plan, recurrence, when, now }: ChosenPlan,
): Promise<QuotedChange> {
  const account = await accountOf(tx, now)
  if (!account.plan) return refuse('ERR_NO_COMPANY_PLAN')
  // its period would run behind the last day
  if (subscription.endsOn !== null) refuse('ERR_SUBSCRIPTION_ENDED')
  const terms = planTermsOf(plan, recurrence)
  if (isPriced(plan) && priceOf(terms).cents === 0) refuse('ERR_PLAN_UNPRICED', { field: 'recurrence' })
  if (hasSameTerms(terms, account.plan)) refuse('ERR_PLAN_SAME')
  const { today } = account
  const isNow = when === 'now'
  const period = periodNow(subscription, account)
  const held = isNow ? await invoicesFrom(tx, today) : []
  const value = netOf(priceOf(terms).cents, { today, held, discounts: account.discounts })
  const amounts = isNow
    ? amountsNow(value, { held, today, ...(await owedAndFree(tx)), ...period })
    : { value, credit: 0, due: value }
  const from = isNow ? today : await nextFrom(tx, subscription, today)
  const quote = {
    ...{ plan: shownPlan(plan), recurrence, when, from, ...amounts },
    ...{ valueBrl: brl(amounts.value), creditBrl: brl(amounts.credit), dueBrl: brl(amounts.due) },
    ...(await overOf(tx, plan)),
  }
  const isDearer = monthOf(terms) > monthOf(account.plan)
  return { quote, isDearer, terms, today, held, ...period }
}

/** Less the discount that reduces the next period; invoices that are cancelled by the change use none up. */
function netOf(
  cents: number,
  { today, held, discounts }: { today: string; held: InvoiceRow[]; discounts: OpenDiscount[] },
): number {
  const freed = (id: number) =>
    held.filter(one => one.discountId === id && one.startInvoicePeriod >= today).length
  const open = discounts.map(one => ({ ...one, left: one.left + freed(one.id) }))
  return cents - (discounted(cents, open)?.value ?? 0)
}

/** Whether a period begins today once the current one is closed; a trial goes on. */
function periodNow(subscription: SubscriptionRow, account: BilledAccount) {
  const { today, status } = account
  const terms = billingTerms(subscription, account)
  const isTrial = terms.trialEnd !== null && terms.trialEnd > today
  const through = terms.through === null || isTrial ? null : daysFrom(today, -1)
  // what was not billed yet is not billed for the time before
  const from = terms.through === null && !isTrial && (terms.from ?? '') < today ? today : terms.from
  const next = status === 1 ? nextStart(today, { ...terms, from, through }) : null
  const closed = { billedFrom: from, billedThrough: through, anchor: null }
  return { begins: next !== null && next.start <= today, closed }
}

/** The first day of the next period: also one that is invoiced already, and has not begun. */
async function nextFrom(tx: Tx, { billedThrough }: SubscriptionRow, today: string): Promise<string> {
  const [ahead] = await invoicesAhead(tx, today)
  if (ahead) return ahead.startInvoicePeriod
  return !billedThrough || billedThrough < today ? today : daysFrom(billedThrough, 1)
}

function monthOf(terms: PlanTerms): number {
  const { cents, months } = priceOf(terms)
  return cents / months
}

/** What is owed and free; an order that waits is withdrawn by another change, so what was paid of it is free. */
async function owedAndFree(tx: Tx): Promise<Pick<ClosedNow, 'open' | 'free'>> {
  const ordered = (await planOrderOf(tx))?.invoice
  const open = (await openInvoices(tx)).filter(({ id }) => id !== ordered?.id)
  const free = (await creditOf(tx)).reduce((sum, credit) => sum + credit.free, ordered?.paidValue ?? 0)
  return { open, free }
}

interface ClosedNow {
  held: InvoiceRow[]
  /** All of which something is owed. */
  open: InvoiceRow[]
  today: string
  free: number
  begins: boolean
}

/** What was paid beyond what was used, with all free credit, pays the invoices that are owed, and then the new period. */
function amountsNow(value: number, { held, open, today, free, begins }: ClosedNow) {
  // one that has not begun is cancelled
  const used = (invoice: InvoiceRow) =>
    invoice.startInvoicePeriod < today ? invoice.value - unusedOf(invoice, today) : 0
  let left = free
  for (const invoice of held) left += invoice.paidValue - used(invoice)
  for (const invoice of open)
    if (!held.some(({ id }) => id === invoice.id)) left -= invoice.value - invoice.paidValue
  const credit = Math.max(left, 0)
  return { value, credit, due: begins ? Math.max(value - credit, 0) : 0 }
}

async function overOf(tx: Tx, { numberAttendants, numberConnections }: PlanRow) {
  const [used] = await rowsFrom<{ users: number; connections: number }>(
    tx.sql,
    tag`select (select count(*)::int from users where company_id = ${tx.companyId}) as users,
      (select count(*)::int from whatsapps where company_id = ${tx.companyId}) as connections`,
  )
  const over = (many: number, limit: number) => (many > limit ? { used: many, limit } : null)
  return {
    overAttendants: over(used!.users, numberAttendants),
    overConnections: over(used!.connections, numberConnections),
  }
}
