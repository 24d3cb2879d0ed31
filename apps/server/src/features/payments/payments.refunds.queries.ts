import type { Sql } from '../../platform/postgres/db.ts'
import {
  and,
  eq,
  inArray,
  inState,
  lte,
  rowsFrom,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { NO_COMPANY } from '../../platform/work/job-queues.ts'
import { fromNow, isOver } from '../../platform/work/leases.ts'
import { paymentRefunds, payments } from '../invoices/invoices.ledger.table.ts'
import { DONE_NOW } from '../invoices/invoices.refunds.queries.ts'

// A payment may be of no company that is known here, so refunds are the platform's own work.

const ofRefund = tag<number>`coalesce(${paymentRefunds.companyId}, ${NO_COMPANY})`

/** Refunds that are to be requested from the provider. */
export const refundsDue = (sql: Sql, limit: number, passed: number[] = []) =>
  sql
    .select({
      companyId: ofRefund,
      id: paymentRefunds.id,
    })
    .from(paymentRefunds)
    .where(
      and(
        inState(paymentRefunds.state, 'wanted'),
        lte(paymentRefunds.dueAt, tag`now()`),
        outside(ofRefund, passed),
      ),
    )
    .orderBy(paymentRefunds.dueAt)
    .limit(limit)

/** The payment of a provider, by its id there. */
export type OfProvider = Pick<typeof payments.$inferSelect, 'provider' | 'providerId'>

/** Refunds that providers accepted and are not known to be done, of one payment or all, the longest not queried first. */
export const refundsAsked = (sql: Sql, of: OfProvider | null) =>
  sql
    .select({ id: paymentRefunds.id, provider: payments.provider })
    .from(paymentRefunds)
    .innerJoin(payments, eq(payments.id, paymentRefunds.paymentId))
    .where(
      and(
        eq(paymentRefunds.state, 'asked'),
        of ? and(eq(payments.provider, of.provider), eq(payments.providerId, of.providerId)) : undefined,
      ),
    )
    .orderBy(paymentRefunds.dueAt)
    .limit(MOST_ASKED)

const MOST_ASKED = 500

const isOpen = inArray(paymentRefunds.state, ['wanted', 'asked'])

/**
 * A refund under a lease of `ms`, with the provider of its payment and its id there; null when another worker has it.
 */
export async function claimRefund(sql: Sql, id: number, ms: number) {
  const [refund] = await sql
    .update(paymentRefunds)
    .set({ dueAt: fromNow(ms), attempts: tag`${paymentRefunds.attempts} + 1` })
    .where(and(eq(paymentRefunds.id, id), isOpen, isOver(paymentRefunds.dueAt)))
    .returning()
  if (!refund) return null
  const [payment] = await sql
    .select({ provider: payments.provider, providerId: payments.providerId })
    .from(payments)
    .where(eq(payments.id, refund.paymentId))
  const [asked] = await rowsFrom<{ upTo: number }>(
    sql,
    tag`select sum(value)::int as "upTo" from payment_refunds
      where payment_id = ${refund.paymentId} and state <> 'failed' and (id <= ${id} or state = 'done')`,
  )
  return { ...refund, ...payment!, ...asked! }
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimRefund>>>

const claimedOf = ({ id, dueAt }: Claimed) =>
  and(eq(paymentRefunds.id, id), isOpen, eq(paymentRefunds.dueAt, dueAt))

/** The provider carried it out, or accepted it. */
export const refundAccepted = (sql: Sql, claimed: Claimed, state: 'done' | 'asked') =>
  sql
    .update(paymentRefunds)
    .set(state === 'done' ? DONE_NOW : { state })
    .where(claimedOf(claimed))

export const putOffRefund = (sql: Sql, claimed: Claimed, dueAt: SQL) =>
  sql.update(paymentRefunds).set({ dueAt }).where(claimedOf(claimed))

/** The provider refused: the payment is unchanged, and waits for a master again. */
export async function refundRefused(sql: Sql, claimed: Claimed, problem: string): Promise<void> {
  // the payment is locked first, as everywhere
  await sql.select({ id: payments.id }).from(payments).where(eq(payments.id, claimed.paymentId)).for('update')
  const refused = await sql
    .update(paymentRefunds)
    .set({ state: 'failed', problem })
    .where(claimedOf(claimed))
    .returning({ id: paymentRefunds.id })
  if (refused.length > 0)
    await sql.update(payments).set({ review: 'refundRefused' }).where(eq(payments.id, claimed.paymentId))
}
