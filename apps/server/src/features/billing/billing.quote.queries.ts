import type { PlanQuote } from '@balcao/contract/billing.ts'
import { daysFrom, nextStart, priceOf } from '@balcao/contract/invoices.rules.ts'
import { restOf } from '@balcao/contract/ledger.rules.ts'
import { brl, isPriced } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { refuse } from '../../platform/errors.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { billingTerms } from '../invoices/invoices.billing.actions.ts'
import { creditOf } from '../invoices/invoices.ledger.queries.ts'
import { type InvoiceRow, invoicesFrom } from '../invoices/invoices.queries.ts'
import { shownPlan } from '../plans/plans.queries.ts'
import {
  accountOf,
  type BilledAccount,
  type SubscriptionRow,
} from '../subscriptions/subscriptions.queries.ts'
import type { PlanTerms } from '../subscriptions/subscriptions.table.ts'

export interface ChosenPlan {
  plan: PlanRow
  recurrence: Plan['recurrence']
  when: 'now' | 'next'
  now: Date
}

export interface QuotedChange {
  quote: PlanQuote
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
 * What a change of plan costs; nothing is written. Refuses with ERR_NO_COMPANY_PLAN, ERR_PLAN_SAME,
 * ERR_PLAN_UNPRICED.
 */
export async function quoteChange(
  tx: Tx,
  subscription: SubscriptionRow,
  { plan, recurrence, when, now }: ChosenPlan,
): Promise<QuotedChange> {
  const account = await accountOf(tx, now)
  if (!account.plan) return refuse('ERR_NO_COMPANY_PLAN')
  const terms = termsOf(plan, recurrence)
  if (isPriced(plan) && priceOf(terms).cents === 0) refuse('ERR_PLAN_UNPRICED', { field: 'recurrence' })
  if (isSame(terms, account.plan)) refuse('ERR_PLAN_SAME')
  const { today } = account
  const isNow = when === 'now'
  const period = periodNow(subscription, account)
  const held = isNow ? await invoicesFrom(tx, today) : []
  const value = priceOf(terms).cents
  const amounts = isNow
    ? amountsNow(value, { held, today, free: await freeCredit(tx), begins: period.begins })
    : { value, credit: 0, due: value }
  const through = subscription.billedThrough
  const from = isNow || !through || through < today ? today : daysFrom(through, 1)
  const quote = {
    ...{ plan: shownPlan(plan), recurrence, when, from, ...amounts },
    ...{ valueBrl: brl(amounts.value), creditBrl: brl(amounts.credit), dueBrl: brl(amounts.due) },
    ...(await overOf(tx, plan)),
  }
  return { quote, terms, today, held, ...period }
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

async function freeCredit(tx: Tx): Promise<number> {
  return (await creditOf(tx)).reduce((sum, { free }) => sum + free, 0)
}

/** What is credited of an invoice pays first what it owes itself; the rest pays the new period, with all free credit. */
function amountsNow(
  value: number,
  { held, today, free, begins }: { held: InvoiceRow[]; today: string; free: number; begins: boolean },
) {
  let credit = free
  for (const invoice of held) {
    const isBegun = invoice.startInvoicePeriod < today
    // one that has not begun is cancelled: what was paid of it is free then
    const owed = isBegun ? invoice.value - invoice.paidValue : 0
    credit += isBegun ? Math.max(restOf(invoice, today) - owed, 0) : invoice.paidValue
  }
  return { value, credit, due: begins ? Math.max(value - credit, 0) : 0 }
}

/** What the plan of the company is afterwards. */
function termsOf(plan: PlanRow, recurrence: Plan['recurrence']): PlanTerms {
  const {
    id: _id,
    companyId: _company,
    isStandard: _standard,
    highlighted: _high,
    status: _status,
    billingType: _type,
    automaticInvoice: _automatic,
    ...terms
  } = plan
  return { ...terms, recurrence }
}

function isSame(terms: PlanTerms, own: PlanRow): boolean {
  const { slogan: _slogan, description: _description, ...decisive } = terms
  return Object.entries(decisive).every(([name, value]) => own[name as keyof PlanTerms] === value)
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
