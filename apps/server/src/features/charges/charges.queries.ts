import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, inArray, isNotNull, lte, or, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import {
  type ClaimedRow,
  claimRow,
  fromNow,
  keepRow,
  type LeasedValues,
  settleRow,
} from '../../platform/work/leases.ts'
import { companies } from '../companies/companies.table.ts'
import { type ChargeStage, charges, paymentEvents } from './charges.table.ts'

export type ChargeRow = typeof charges.$inferSelect
export type ClaimedCharge = ClaimedRow<typeof charges>

/** Who pays: the company of this transaction. */
export async function payerOf(tx: Tx) {
  const [company] = await tx.sql
    .select({ name: companies.name, document: companies.documentNumber, email: companies.email })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return company!
}

const itself = (tx: Tx, invoiceId: number) =>
  and(eq(charges.companyId, tx.companyId), eq(charges.invoiceId, invoiceId))

/** The charge of an invoice, locked; null where there is none. */
export async function lockCharge(tx: Tx, invoiceId: number): Promise<ChargeRow | null> {
  const [row] = await tx.sql.select().from(charges).where(itself(tx, invoiceId)).for('update')
  return row ?? null
}

export const updateCharge = (tx: Tx, invoiceId: number, values: LeasedValues<typeof charges>) =>
  tx.sql.update(charges).set(values).where(itself(tx, invoiceId))

/** Null when another worker has it. */
export const claimCharge = (tx: Tx, invoiceId: number, ms: number) =>
  claimRow(tx, charges, eq(charges.invoiceId, invoiceId), ms)

/** Throws RowLeaseLost. */
export const keepCharge = (tx: Tx, invoiceId: number, until: string, ms: number) =>
  keepRow(tx, charges, eq(charges.invoiceId, invoiceId), until, ms)

/** Puts off a charge whose claim is still the last. */
export const putOffCharge = (
  tx: Tx,
  invoiceId: number,
  until: string,
  values: LeasedValues<typeof charges>,
) => settleRow(tx, charges, eq(charges.invoiceId, invoiceId), values, until)

/** From some states into another, at once due. */
export const moveCharge = (tx: Tx, invoiceId: number, from: ChargeStage[], state: ChargeStage) =>
  tx.sql
    .update(charges)
    .set({ state, dueAt: fromNow(0), attempts: 0 })
    .where(and(itself(tx, invoiceId), inArray(charges.state, from)))

/** One for an invoice; there is never a second. */
export const insertCharge = (tx: Tx, invoiceId: number) =>
  tx.sql.insert(charges).values({ companyId: tx.companyId, invoiceId }).onConflictDoNothing()

/** The company and invoice of a charge, by the provider's ids; null for one that was not created here. */
export async function chargeNamed(
  sql: Sql,
  { chargeId, reference }: { chargeId: string; reference: string },
) {
  const isOurs = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(reference)
  const [row] = await sql
    .select({ companyId: charges.companyId, invoiceId: charges.invoiceId })
    .from(charges)
    .where(or(eq(charges.chargeId, chargeId), isOurs ? eq(charges.reference, reference) : undefined))
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

const ofLeaving = (sql: Sql) =>
  and(
    inArray(charges.state, ['wanted', 'open']),
    inArray(
      charges.companyId,
      sql.select({ id: companies.id }).from(companies).where(isNotNull(companies.leavingAt)),
    ),
  )

export const leavingCharges = (sql: Sql) =>
  sql.select({ invoiceId: charges.invoiceId }).from(charges).where(ofLeaving(sql)).limit(1)

/** A company that is being deleted pays no more: its charges are cancelled at the provider first. */
export const giveUpLeaving = (sql: Sql) =>
  sql
    .update(charges)
    .set({
      state: 'unwanted',
      dueAt: tag`case ${charges.state} when 'open' then now() else ${charges.dueAt} end`,
    })
    .where(ofLeaving(sql))

export const chargesDue = (sql: Sql, limit: number) =>
  sql
    .select({ companyId: charges.companyId, invoiceId: charges.invoiceId })
    .from(charges)
    .where(and(inArray(charges.state, ['wanted', 'open', 'unwanted']), lte(charges.dueAt, tag`now()`)))
    .orderBy(charges.dueAt)
    .limit(limit)
