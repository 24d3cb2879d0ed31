import type { Sql } from '../../platform/postgres/db.ts'
import {
  and,
  eq,
  inState,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { fromNow, isOver, isUnexpired, RowLeaseLost } from '../../platform/work/leases.ts'
import { invoices } from '../invoices/invoices.table.ts'
import { type ChargeRow, soonest } from './charges.queries.ts'
import { charges } from './charges.table.ts'

/** The clock of banks and providers in Brazil. */
const ZONE = 'America/Sao_Paulo'
/** The hour of the due date at which a kept card is charged. */
const CARD_HOUR = 9

/** When a kept card is charged for what is due on a day. */
export const cardTime = (dueDate: string | SQLWrapper): SQL<string> =>
  tag<string>`(${dueDate}::timestamp + ${CARD_HOUR}::int * interval '1 hour') at time zone ${ZONE}`

/** The begin of a day there. */
export const beginOf = (day: string): SQL => tag`${day}::timestamp at time zone ${ZONE}`

/** An earlier charge of the invoice that is not cancelled yet may still take its money. */
const noEarlier = tag`not exists (select from charges o where o.company_id = ${charges.companyId}
  and o.invoice_id = ${charges.invoiceId} and o.state = 'unwanted' and o.value is not null)`
const open = and(inState(charges.state, 'open'), isNotNull(charges.cardDueAt), noEarlier)
/** Open, or called for with a sum: such a one is under way, or its answer is lost. */
const mayBeMade = or(eq(charges.state, 'open'), and(eq(charges.state, 'wanted'), isNotNull(charges.value)))
const itself = (tx: Tx, reference: string) =>
  and(eq(charges.companyId, tx.companyId), eq(charges.reference, reference))

export const cardsDue = (sql: Sql, limit: number, passed: number[] = []) =>
  sql
    .select({ companyId: charges.companyId, reference: charges.reference })
    .from(charges)
    .where(and(open, lte(charges.cardDueAt, tag`now()`), outside(charges.companyId, passed)))
    .orderBy(charges.cardDueAt)
    .limit(limit)

/** The charge for `ms`, and the end of the lease; null where another worker has it. */
export async function claimCard(tx: Tx, reference: string, ms: number) {
  const [row] = await tx.sql
    .update(charges)
    .set({ cardDueAt: fromNow(ms) })
    .where(and(itself(tx, reference), open, isOver(charges.cardDueAt)))
    .returning()
  return row ? { ...row, until: row.cardDueAt! } : null
}

/** Throws RowLeaseLost where the lease ended, or the charge is not open any more. */
export async function keepCardLease(tx: Tx, reference: string, until: string, ms: number): Promise<string> {
  const [row] = await tx.sql
    .update(charges)
    .set({ cardDueAt: fromNow(ms) })
    .where(and(itself(tx, reference), open, eq(charges.cardDueAt, until), isUnexpired(charges.cardDueAt)))
    .returning({ cardDueAt: charges.cardDueAt })
  if (!row) throw new RowLeaseLost()
  return row.cardDueAt!
}

/** When the card is charged for it next; null: not any more. */
export const putOffCard = (
  tx: Tx,
  reference: string,
  values: Partial<Pick<ChargeRow, 'cardTries'>> & { cardDueAt: SQL | null },
) => tx.sql.update(charges).set(values).where(itself(tx, reference))

/** A card is kept from now on: it is charged for what is open, on the due dates. */
export const scheduleCards = (tx: Tx) =>
  tx.sql
    .update(charges)
    .set({
      cardDueAt: tag`(select ${cardTime(invoices.dueDate)} from ${invoices} where ${invoices.companyId} = ${charges.companyId} and ${invoices.id} = ${charges.invoiceId})`,
    })
    .where(
      and(
        ...[eq(charges.companyId, tx.companyId), eq(charges.state, 'open'), isNull(charges.cardDueAt)],
        eq(charges.isOrdinary, false),
      ),
    )

/** Charges of the company are made anew: their pages take another means of payment. Answers their invoices. */
export const replaceOpenCharges = (tx: Tx) =>
  tx.sql
    .update(charges)
    .set({ state: 'unwanted', dueAt: soonest(), attempts: 0, cardDueAt: null })
    .where(and(eq(charges.companyId, tx.companyId), mayBeMade))
    .returning({ invoiceId: charges.invoiceId })

/** The charges of the company that may be paid already. */
export const chargesMade = (tx: Tx) =>
  tx.sql
    .select({ reference: charges.reference, invoiceId: charges.invoiceId })
    .from(charges)
    .where(and(eq(charges.companyId, tx.companyId), mayBeMade))

/**
 * Charges of the company that are to be made are tried at once, in the way that counts now: they may have waited for the day of a
 * debit, or been refused in another way.
 */
export const tryChargesNow = (tx: Tx) =>
  tx.sql
    .update(charges)
    .set({ dueAt: fromNow(0), attempts: 0, isOrdinary: false })
    // one that has a sum may be under way, or its answer is lost: its lease or pause stays
    .where(and(eq(charges.companyId, tx.companyId), eq(charges.state, 'wanted'), isNull(charges.value)))
