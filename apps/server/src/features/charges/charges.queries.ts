import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { Config } from '../../platform/config.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { inserting } from '../../platform/postgres/prepared.ts'
import {
  and,
  desc,
  eq,
  inArray,
  inState,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import {
  type ClaimedRow,
  claimRow,
  fromNow,
  keepRow,
  type LeasedValues,
  settleRow,
} from '../../platform/work/leases.ts'
import { isCollecting, someCollector } from '../collectors/collectors.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { paymentRefunds, payments } from '../invoices/invoices.ledger.table.ts'
import { charges, paymentEvents } from './charges.table.ts'

export type ChargeRow = typeof charges.$inferSelect
export type ClaimedCharge = ClaimedRow<typeof charges>

const itself = (tx: Tx, reference: string) =>
  and(eq(charges.companyId, tx.companyId), eq(charges.reference, reference))

/** A charge by its reference, locked; null where there is none. */
export async function lockCharge(tx: Tx, reference: string): Promise<ChargeRow | null> {
  const [row] = await tx.sql.select().from(charges).where(itself(tx, reference)).for('update')
  return row ?? null
}

/** The charge of an invoice that could be paid, and whether it ever had one. */
export async function chargesOf(tx: Tx, invoiceId: number) {
  const rows = await tx.sql
    .select({ state: charges.state, value: charges.value })
    .from(charges)
    .where(and(eq(charges.companyId, tx.companyId), eq(charges.invoiceId, invoiceId)))
  const current = rows.find(({ state }) => state === 'wanted' || state === 'open') ?? null
  return { current, hadOne: rows.length > 0 }
}

export const updateCharge = (tx: Tx, reference: string, values: LeasedValues<typeof charges>) =>
  tx.sql.update(charges).set(values).where(itself(tx, reference))

/** Null when another worker has it. */
export const claimCharge = (tx: Tx, reference: string, ms: number) =>
  claimRow(tx, charges, eq(charges.reference, reference), ms)

/** Throws RowLeaseLost. */
export const keepCharge = (tx: Tx, reference: string, until: string, ms: number) =>
  keepRow(tx, charges, eq(charges.reference, reference), until, ms)

/** Puts off a charge whose claim is still the last. */
export const putOffCharge = (
  tx: Tx,
  reference: string,
  until: string,
  values: LeasedValues<typeof charges>,
) => settleRow(tx, charges, eq(charges.reference, reference), values, until)

/** The lease (ms) of a charge whose call is under way: after a crash another worker continues then. */
export const CALL_MS = 120_000

/**
 * When a charge is looked at again: at once, but for one that has a sum and no answer. The call that makes it may be under way, and
 * the provider would not know it yet: its lease stays, and a longer pause ends.
 */
export const soonest = () =>
  tag<string>`case when ${charges.state} = 'wanted' and ${charges.value} is not null then least(${charges.dueAt}, ${fromNow(CALL_MS)}) else ${fromNow(0)} end`

/** The charges of an invoice that could be paid are cancelled at the provider. */
export const giveUpCharges = (tx: Tx, invoiceId: number) =>
  tx.sql
    .update(charges)
    .set({ state: 'unwanted', dueAt: soonest(), attempts: 0 })
    .where(
      and(
        eq(charges.companyId, tx.companyId),
        eq(charges.invoiceId, invoiceId),
        inArray(charges.state, ['wanted', 'open']),
      ),
    )

/** The charge of an invoice that is to be made is tried at once. */
export const tryChargeNow = (tx: Tx, invoiceId: number) =>
  tx.sql
    .update(charges)
    .set({ dueAt: soonest(), attempts: 0 })
    .where(
      and(eq(charges.companyId, tx.companyId), eq(charges.invoiceId, invoiceId), eq(charges.state, 'wanted')),
    )

/** Another one for an invoice; while one can be paid there is no second. */
export const insertCharge = (tx: Tx, invoiceId: number, { isOrdinary = false } = {}) =>
  insertRow(tx.sql, { companyId: tx.companyId, invoiceId, provider: '', isOrdinary })

const insertRow = inserting(charges, insert => insert.onConflictDoNothing())

/** A payment that the provider made a charge of by itself, which settles it. Idempotent. */
export const insertAdopted = (
  tx: Tx,
  values: Pick<ChargeRow, 'invoiceId' | 'provider' | 'chargeId' | 'value'>,
) =>
  tx.sql
    .insert(charges)
    .values({ ...values, companyId: tx.companyId, state: 'over' })
    .onConflictDoNothing()

/** A charge by its provider’s id, else by ours; null where it is not known here. */
export async function chargeNamed(
  sql: Sql,
  provider: CollectorName,
  chargeId: string,
  reference: string | null,
) {
  const [row] = await sql
    .select({
      ...{ companyId: charges.companyId, reference: charges.reference, invoiceId: charges.invoiceId },
      value: charges.value,
    })
    .from(charges)
    .where(
      and(
        eq(charges.provider, provider),
        or(eq(charges.chargeId, chargeId), reference === null ? undefined : eq(charges.reference, reference)),
      ),
    )
    .orderBy(desc(tag`coalesce(${charges.chargeId} = ${chargeId}, false)`))
    .limit(1)
  return row ?? null
}

/** True when it was not there yet. */
export async function keepEvent(tx: Tx, event: { eventId: string; invoiceId: number; kind: string }) {
  const kept = await tx.sql
    .insert(paymentEvents)
    .values({ companyId: tx.companyId, ...event })
    .onConflictDoNothing()
    .returning({ eventId: paymentEvents.eventId })
  return kept.length > 0
}

/** The charges that a page of the provider names, only those that are ours: with the state of their payments, and what was given back. */
export const chargesListed = (sql: Sql, provider: CollectorName, chargeIds: string[]) =>
  sql
    .select({
      companyId: charges.companyId,
      reference: charges.reference,
      chargeId: charges.chargeId,
      state: charges.state,
      paid: payments.status,
      refundedValue: doneOf(sql),
    })
    .from(charges)
    .leftJoin(
      payments,
      and(
        eq(payments.provider, charges.provider),
        eq(payments.providerId, charges.chargeId),
        isNull(payments.voidedAt),
      ),
    )
    .where(and(eq(charges.provider, provider), inArray(charges.chargeId, chargeIds)))

const doneOf = (sql: Sql) =>
  tag<number>`${sql
    .select({ value: tag`coalesce(sum(${paymentRefunds.value}), 0)::int` })
    .from(paymentRefunds)
    .where(and(eq(paymentRefunds.paymentId, payments.id), eq(paymentRefunds.state, 'done')))}`

const ofLeaving = (sql: Sql) =>
  and(
    inArray(charges.state, ['wanted', 'open']),
    inArray(
      charges.companyId,
      sql.select({ id: companies.id }).from(companies).where(isNotNull(companies.leavingAt)),
    ),
  )

export const leavingCharges = (sql: Sql, config: Config) =>
  sql
    .select({ invoiceId: charges.invoiceId })
    .from(charges)
    .where(and(ofLeaving(sql), someCollector(sql, config)))
    .limit(1)

/** A company that is being deleted pays no more: its charges are cancelled at the provider first. */
export const giveUpLeaving = (sql: Sql) =>
  sql
    .update(charges)
    .set({
      state: 'unwanted',
      dueAt: tag`case ${charges.state} when 'open' then now() else ${charges.dueAt} end`,
    })
    .where(ofLeaving(sql))

/**
 * What is to be made or cancelled: nothing where no provider is set up; while none of them collects, only what is of one already.
 */
export const chargesDue = (sql: Sql, limit: number, config: Config, passed: number[] = []) =>
  sql
    .select({ companyId: charges.companyId, reference: charges.reference, invoiceId: charges.invoiceId })
    .from(charges)
    .where(
      and(
        inState(charges.state, 'wanted', 'unwanted'),
        lte(charges.dueAt, tag`now()`),
        outside(charges.companyId, passed),
        someCollector(sql, config),
        or(eq(charges.state, 'unwanted'), ne(charges.provider, ''), isCollecting(sql, config)),
      ),
    )
    .orderBy(charges.dueAt)
    .limit(limit)
