import { DAYS_AHEAD, isOwed, type Pause } from '@balcao/contract/invoices.rules.ts'
import type { Invoice } from '@balcao/contract/invoices.ts'
import {
  type LateTerms,
  lateOn,
  stateOfInvoice,
  type UnchargedReason,
} from '@balcao/contract/ledger.rules.ts'
import { type PixPayee, pixPayload } from '@balcao/contract/pix.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { given, inserting, prepared } from '../../platform/postgres/prepared.ts'
import {
  and,
  between,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  or,
  rowsFrom,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { invoices } from './invoices.table.ts'

export type InvoiceRow = typeof invoices.$inferSelect

/** An invoice as users see it; `payee` receives PIX, if the operator named one. */
export function shownInvoice(
  row: InvoiceRow,
  payee: PixPayee | null,
  late: LateToday | null = null,
): Invoice {
  const {
    anchor: _anchor,
    round: _round,
    cancelledAt: _at,
    cancelledBy: _by,
    releasedFrom: _free,
    creditedAt: _credited,
    refundedValue: _back,
    discountId: _discount,
    lateAt: _late,
    ...shown
  } = row
  const lateToday = late && isOwed(row) ? lateOn(row, late.today, late) : 0
  const owed = row.value - row.paidValue + lateToday
  const pixCode = payee && isOwed(row) ? pixPayload(payee, owed, `FAT${row.id}`) : ''
  const status = row.status === 'CANCELLED' ? 'RECEIVED' : row.status
  return { ...shown, status, state: stateOfInvoice(row), lateToday, valueBrl: brl(row.value), pixCode }
}

/** What is asked of who pays late, and the day. */
export type LateToday = LateTerms & { today: string }

/** Invoices of a plan, the newest period first. */
export const listInvoices = (sql: Sql, planId: number, pageNumber: number | undefined) =>
  onePage({ pageNumber }, (limit, offset) =>
    sql
      .select()
      .from(invoices)
      .where(eq(invoices.planId, planId))
      .orderBy(desc(invoices.startInvoicePeriod), desc(invoices.id))
      .limit(limit)
      .offset(offset),
  )

/** The company of an invoice, of any company. Refuses with ERR_NOT_FOUND. */
export async function companyOfInvoice(sql: Sql, invoiceId: number): Promise<number> {
  const [row] = await sql
    .select({ companyId: invoices.companyId })
    .from(invoices)
    .where(eq(invoices.id, invoiceId))
  return row?.companyId ?? refuse('ERR_NOT_FOUND')
}

/** The row, locked. Refuses with ERR_NOT_FOUND. */
export const lockInvoice = async (tx: Tx, invoiceId: number): Promise<InvoiceRow> =>
  (await invoiceOrNull(tx, invoiceId)) ?? refuse('ERR_NOT_FOUND')

/** The same; null when it is deleted. */
export async function invoiceOrNull(tx: Tx, invoiceId: number): Promise<InvoiceRow | null> {
  const [row] = await tx.sql
    .select()
    .from(invoices)
    .where(and(eq(invoices.companyId, tx.companyId), eq(invoices.id, invoiceId)))
    .for('update')
  return row ?? null
}

export type NewInvoice = Omit<typeof invoices.$inferInsert, 'companyId' | 'id'>

/** Null where an automatic one of that period is there already. */
export async function insertInvoice(tx: Tx, values: NewInvoice): Promise<InvoiceRow | null> {
  const [row] = await insertRow(tx.sql, { ...values, companyId: tx.companyId })
  return row ?? null
}

const insertRow = inserting(invoices, insert => insert.onConflictDoNothing().returning())

export async function updateInvoice(
  tx: Tx,
  invoiceId: number,
  values: Partial<InvoiceRow>,
): Promise<InvoiceRow> {
  const [row] = await tx.sql
    .update(invoices)
    .set(values)
    .where(and(eq(invoices.companyId, tx.companyId), eq(invoices.id, invoiceId)))
    .returning()
  return row!
}

export const deleteInvoice = (tx: Tx, invoiceId: number) =>
  tx.sql.delete(invoices).where(and(eq(invoices.companyId, tx.companyId), eq(invoices.id, invoiceId)))

const isUnpaid = (tx: Tx) =>
  and(eq(invoices.companyId, tx.companyId), inArray(invoices.status, ['PENDING', 'OVERDUE']))

/** Unpaid invoices of the company that are due between two days. */
export const owedInvoices = (tx: Tx, from: string, until: string): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(and(isUnpaid(tx), between(invoices.dueDate, from, until)))

/** Invoices of the company of which something is owed, the oldest due day first. */
export const openInvoices = (tx: Tx): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(and(isUnpaid(tx), tag`${invoices.value} > ${invoices.paidValue}`))
    .orderBy(invoices.dueDate, invoices.id)

/** Invoices of the company of which less is owed than the payment provider charges. */
export const restsBelowLeast = (tx: Tx): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(and(isUnpaid(tx), eq(invoices.paymentProblem, BELOW_LEAST)))
    .orderBy(invoices.id)

const BELOW_LEAST: UnchargedReason = 'belowLeast'

/** Automatic invoices of periods that have not begun, not cancelled, the oldest first. */
export const invoicesAhead = (tx: Tx, today: string): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, tx.companyId),
        eq(invoices.isAutomatic, true),
        isNull(invoices.cancelledAt),
        isNull(invoices.releasedFrom),
        gt(invoices.startInvoicePeriod, today),
      ),
    )
    .orderBy(invoices.startInvoicePeriod, invoices.id)

/** Marks pending invoices whose day is over; answers them. */
export const overdueOn = (tx: Tx, today: string) => overdue(tx.sql, { companyId: tx.companyId, today })

const overdue = prepared(sql =>
  sql
    .update(invoices)
    .set({ status: 'OVERDUE' })
    .where(
      and(
        eq(invoices.companyId, given('companyId')),
        eq(invoices.status, 'PENDING'),
        lt(invoices.dueDate, given('today')),
      ),
    )
    .returning(),
)

/**
 * The last day of an invoice, made by hand or automatically, whose period holds the day; null where none does. A cancelled
 * one holds its period, too.
 */
export async function invoicedThrough(tx: Tx, day: string): Promise<string | null> {
  const [row] = await heldOn(tx.sql, { companyId: tx.companyId, day })
  return row?.end ?? null
}

/** The last day that an invoice holds. */
const heldThrough = tag<string>`coalesce(${invoices.releasedFrom} - 1, ${invoices.endInvoicePeriod})`

const heldOn = prepared(sql =>
  sql
    .select({ end: max(heldThrough) })
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, given('companyId')),
        lte(invoices.startInvoicePeriod, given('day')),
        gte(heldThrough, given('day')),
      ),
    ),
)

/** Invoices that are not cancelled and hold a day from `today` on, the oldest first. */
export const invoicesFrom = (tx: Tx, today: string): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(and(eq(invoices.companyId, tx.companyId), isNull(invoices.cancelledAt), gte(heldThrough, today)))
    .orderBy(invoices.startInvoicePeriod, invoices.id)

/** Automatic invoices that are not cancelled, the oldest first. */
export const automaticInvoices = (tx: Tx): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(
      and(eq(invoices.companyId, tx.companyId), eq(invoices.isAutomatic, true), isNull(invoices.cancelledAt)),
    )
    .orderBy(invoices.startInvoicePeriod, invoices.id)

/** Cancelled invoices hold no day from `today` on any more. */
export const releaseCancelled = (tx: Tx, today: string) =>
  tx.sql
    .update(invoices)
    .set({ releasedFrom: tag`greatest(${today}::date, ${invoices.startInvoicePeriod})` })
    .where(
      and(eq(invoices.companyId, tx.companyId), isNotNull(invoices.cancelledAt), gte(heldThrough, today)),
    )

/** Automatic invoices that wait, are not paid in part, and begin within one of the pauses, the oldest first. */
export const pausedInvoices = (tx: Tx, pauses: Pause[]): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, tx.companyId),
        eq(invoices.isAutomatic, true),
        eq(invoices.paidValue, 0),
        isNull(invoices.releasedFrom),
        inArray(invoices.status, ['PENDING', 'OVERDUE']),
        or(
          ...pauses.map(({ from, until }) =>
            and(
              gte(invoices.startInvoicePeriod, from),
              until === null ? undefined : lt(invoices.startInvoicePeriod, until),
            ),
          ),
        ),
      ),
    )
    .orderBy(invoices.startInvoicePeriod)

/**
 * Companies of which something may be due on the day where they are: a period of an automatic plan that ever had a price; a
 * plan that rests after a trial, while nothing was paid; a waiting invoice whose day is over, or that begins within a pause; a
 * mark as owing, or that is to be made; a suspension, or a pause in which the service rests; invoices of an earlier version. All
 * others are left alone: an hour in which nothing is due costs this statement.
 */
export async function billedCompanies(sql: Sql, now: Date, usualZone: string): Promise<number[]> {
  const there = tag`(${now.toISOString()}::timestamptz at time zone coalesce(c.time_zone, ${usualZone}))::date`
  const isPeriodDue = tag`coalesce(greatest(s.billed_through + 1, s.billed_from) <= ${there} + ${DAYS_AHEAD}::int, true)`
  const hadPrice = tag`(greatest(p.value_1_month, p.value_3_months, p.value_6_months, p.value_12_months) > 0
    or exists (select from plan_prices r where r.company_id = c.id and r.value > 0)
    or exists (select from plan_changes g where g.company_id = c.id))`
  const isInPause = tag`exists (select from subscription_pauses u where u.company_id = c.id
    and u.from_day <= i.start_invoice_period and coalesce(u.until_day > i.start_invoice_period, true))`
  const isLate = tag`case i.status when 'PENDING' then i.due_date < ${there}
    when 'OVERDUE' then (select value::int > 0 from settings where key = 'graceDays') end`
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c left join subscriptions s on s.company_id = c.id
      where c.leaving_at is null and (c.pay_by is not null or c.suspended_at is not null
        or exists (select from subscription_pauses u where u.company_id = c.id and u.rests_service
          and u.from_day <= ${there} and coalesce(u.until_day > ${there}, true))
        or exists (select from plans p where p.company_id = c.id and p.rests_after_trial
          and not exists (select from invoices i where i.company_id = c.id and i.status in ('RECEIVED', 'CONFIRMED')))
        or exists (select from plans p where p.company_id = c.id and p.automatic_invoice and c.status = 1
          and ${isPeriodDue} and ${hadPrice})
        or exists (select from invoices i where i.company_id = c.id and (s.adopted_at is null
          or (i.status in ('PENDING', 'OVERDUE') and (${isLate} or ${isInPause})))))
      order by c.id`,
  )
  return rows.map(({ id }) => id)
}
