import { priceOf } from '@balcao/contract/invoices.rules.ts'
import { TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import type { PlanRow } from '../companies/companies.plan.queries.ts'
import { accountOrNull, type SubscriptionRow } from '../subscriptions/subscriptions.queries.ts'
import { holdSubscription } from './invoices.hold.actions.ts'

export interface Trial {
  /** The first day after it. */
  end: string
  planId: number
  /** Cents of the first period. */
  value: number
}

/** The trial of the company, also one that is over; null where it has none, its plan costs nothing, or the time after it is paid. */
export async function trialOf(tx: Tx, now: Date): Promise<Trial | null> {
  const account = await accountOrNull(tx, now)
  if (!account?.plan || account.status !== 1) return null
  const { plan, signUpTrialEnd } = account
  const end = (await holdSubscription(tx)).trialEndsOn ?? signUpTrialEnd
  const { cents } = priceOf(plan)
  if (end === null || cents === 0 || (await isPaidOn(tx, end))) return null
  return { end, planId: plan.id, value: cents }
}

/**
 * Whether nothing is invoiced until the plan is taken up: it lets the company rest after its trial, nothing was invoiced
 * automatically, and nothing was paid. As `settle_company` decides whether the company rests.
 */
export async function waitsForTakeUp(
  tx: Tx,
  { billedFrom, billedThrough }: SubscriptionRow,
  { restsAfterTrial }: Pick<PlanRow, 'restsAfterTrial'>,
  end: string | null,
): Promise<boolean> {
  const isOpen = restsAfterTrial && end !== null && billedFrom === null && billedThrough === null
  return isOpen && !(await hasPaid(tx))
}

/** Whether an invoice of that day, or of a later one, is paid. */
async function isPaidOn(tx: Tx, day: string): Promise<boolean> {
  const [row] = await rowsFrom<{ paid: boolean }>(
    tx.sql,
    tag`select exists (select from invoices where company_id = ${tx.companyId}
      and status in ('RECEIVED', 'CONFIRMED') and end_invoice_period >= ${day}) as paid`,
  )
  return row!.paid
}

/** As `settle_company` decides it: also where the payment was given back, or was for more than an invoice. */
async function hasPaid(tx: Tx): Promise<boolean> {
  const [row] = await rowsFrom<{ paid: boolean }>(
    tx.sql,
    tag`select exists (select from invoices
        where company_id = ${tx.companyId} and status in ('RECEIVED', 'CONFIRMED'))
      or exists (select from payments
        where company_id = ${tx.companyId} and source <> 'credit' and voided_at is null
          and (review is null or review = 'returned')) as paid`,
  )
  return row!.paid
}

/** Companies whose trial ends within some days, by a day that has begun anywhere on earth. */
export async function companiesInTrial(sql: Sql, from: string, until: string): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c left join subscriptions s on s.company_id = c.id
      where c.leaving_at is null and c.status = 1 and (c.lead_id is not null or s.trial_ends_on is not null)
        and coalesce(s.trial_ends_on, (c.created_at + make_interval(days => ${TRIAL_DAYS}))::date) between ${from}::date - 1 and ${until}::date + 1
      order by c.id`,
  )
  return rows.map(({ id }) => id)
}
