import type { Sql } from '../../platform/db.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq, inArray, isNotNull, lte, or, sql as tag } from '../../platform/sql.ts'
import { companies } from '../companies/companies.table.ts'
import { type ChargeStanding, charges, paymentEvents } from './charges.table.ts'

export type ChargeRow = typeof charges.$inferSelect

const itself = (tx: Tx, invoiceId: number) =>
  and(eq(charges.companyId, tx.companyId), eq(charges.invoiceId, invoiceId))

/** The charge of an invoice, locked; null where there is none. */
export async function lockCharge(tx: Tx, invoiceId: number): Promise<ChargeRow | null> {
  const [row] = await tx.sql.select().from(charges).where(itself(tx, invoiceId)).for('update')
  return row ?? null
}

export const updateCharge = (tx: Tx, invoiceId: number, values: Partial<ChargeRow>) =>
  tx.sql.update(charges).set(values).where(itself(tx, invoiceId))

/** From some states into another, at once due. */
export const moveCharge = (tx: Tx, invoiceId: number, from: ChargeStanding[], state: ChargeStanding) =>
  tx.sql
    .update(charges)
    .set({ state, dueAt: new Date().toISOString(), attempts: 0 })
    .where(and(itself(tx, invoiceId), inArray(charges.state, from)))

/** One for an invoice; there is never a second. */
export const insertCharge = (tx: Tx, invoiceId: number) =>
  tx.sql.insert(charges).values({ companyId: tx.companyId, invoiceId }).onConflictDoNothing()

/** Whose a charge is, by what the provider names; null for one that was not made here. */
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

/** Of a company that is being deleted nobody can pay any more; what is under way at the provider ends first. */
export const giveUpLeaving = (sql: Sql, now: Date) =>
  sql
    .update(charges)
    .set({
      state: 'unwanted',
      dueAt: tag`case ${charges.state} when 'open' then ${now.toISOString()}::timestamptz else ${charges.dueAt} end`,
    })
    .where(
      and(
        inArray(charges.state, ['wanted', 'open']),
        inArray(
          charges.companyId,
          sql.select({ id: companies.id }).from(companies).where(isNotNull(companies.leavingAt)),
        ),
      ),
    )

export const chargesDue = (sql: Sql, now: Date, limit: number) =>
  sql
    .select({ companyId: charges.companyId, invoiceId: charges.invoiceId })
    .from(charges)
    .where(and(inArray(charges.state, ['wanted', 'open', 'unwanted']), lte(charges.dueAt, now.toISOString())))
    .orderBy(charges.dueAt)
    .limit(limit)
