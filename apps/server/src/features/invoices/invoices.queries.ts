import { isPaid } from '@balcao/contract/invoices.rules.ts'
import type { Invoice } from '@balcao/contract/invoices.ts'
import { type PixPayee, pixPayload } from '@balcao/contract/pix.rules.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { refuse } from '../../platform/errors.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import {
  and,
  between,
  desc,
  eq,
  inArray,
  isNull,
  lt,
  rowsFrom,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import { companies, plans } from '../companies/companies.table.ts'
import { invoices } from './invoices.table.ts'

export type InvoiceRow = typeof invoices.$inferSelect

/** An invoice as users see it; `payee` receives PIX, if the operator named one. */
export function shownInvoice({ anchor: _anchor, ...row }: InvoiceRow, payee: PixPayee | null): Invoice {
  const pixCode = payee && !isPaid(row) ? pixPayload(payee, row.value, `FAT${row.id}`) : ''
  return { ...row, valueBrl: brl(row.value), pixCode }
}

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

type NewInvoice = Omit<typeof invoices.$inferInsert, 'companyId' | 'id'>

/** Null where an automatic one of that period is there already. */
export async function insertInvoice(tx: Tx, values: NewInvoice): Promise<InvoiceRow | null> {
  const [row] = await tx.sql
    .insert(invoices)
    .values({ ...values, companyId: tx.companyId })
    .onConflictDoNothing()
    .returning()
  return row ?? null
}

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

/** The day by the company's clock. */
export async function dayThere(tx: Tx, now: Date): Promise<string> {
  const [row] = await rowsFrom<{ day: string }>(
    tx.sql,
    tag`select to_char(${now.toISOString()}::timestamptz at time zone ${zoneOf(tx)}, 'YYYY-MM-DD') as day`,
  )
  return row!.day
}

/** The hour of the day by the company's clock. */
export async function hourThere(tx: Tx, now: Date): Promise<number> {
  const [row] = await rowsFrom<{ hour: number }>(
    tx.sql,
    tag`select extract(hour from ${now.toISOString()}::timestamptz at time zone ${zoneOf(tx)})::int as hour`,
  )
  return row!.hour
}

/** The begin of the hour that is `hours` later by the company's clock, also on days of 23 and of 25 hours. */
export async function hourLater(tx: Tx, now: Date, hours: number): Promise<string> {
  const [opening] = await rowsFrom<{ at: number }>(
    tx.sql,
    tag`select extract(epoch from (date_trunc('hour', ${now.toISOString()}::timestamptz at time zone ${zoneOf(tx)})
      + ${hours} * interval '1 hour') at time zone ${zoneOf(tx)})::float8 as at`,
  )
  return new Date(opening!.at * 1_000).toISOString()
}

/** Unpaid invoices of the company that are due between two days. */
export const owedInvoices = (tx: Tx, from: string, until: string): PromiseLike<InvoiceRow[]> =>
  tx.sql
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, tx.companyId),
        inArray(invoices.status, ['PENDING', 'OVERDUE']),
        between(invoices.dueDate, from, until),
      ),
    )

/** Marks pending invoices whose day is over; answers them. */
export const overdueOn = (tx: Tx, today: string) =>
  tx.sql
    .update(invoices)
    .set({ status: 'OVERDUE' })
    .where(
      and(eq(invoices.companyId, tx.companyId), eq(invoices.status, 'PENDING'), lt(invoices.dueDate, today)),
    )
    .returning()

/** The plan that the company pays, with the times of the company. */
export async function billedPlan(tx: Tx) {
  const [row] = await tx.sql
    .select({
      plan: plans,
      createdAt: companies.createdAt,
      status: companies.status,
      leadId: companies.leadId,
      switchedOffAt: companies.switchedOffAt,
      switchedOnAt: companies.switchedOnAt,
    })
    .from(companies)
    .innerJoin(plans, eq(plans.companyId, companies.id))
    .where(and(eq(companies.id, tx.companyId), isNull(companies.leavingAt)))
  return row ?? null
}

export type BilledPlan = NonNullable<Awaited<ReturnType<typeof billedPlan>>>

/** The newest invoice that the platform made for the company. */
export async function newestAutomatic(tx: Tx): Promise<InvoiceRow | null> {
  const [row] = await tx.sql
    .select()
    .from(invoices)
    .where(and(eq(invoices.companyId, tx.companyId), eq(invoices.isAutomatic, true)))
    .orderBy(desc(invoices.startInvoicePeriod))
    .limit(1)
  return row ?? null
}

/** Companies that may have something to bill: those with an automatic plan, and those that owe, or are marked as owing. */
export async function billedCompanies(sql: Sql): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c where c.leaving_at is null and (c.pay_by is not null
      or exists (select from plans p where p.company_id = c.id and p.automatic_invoice)
      or exists (select from invoices i where i.company_id = c.id and i.status in ('PENDING', 'OVERDUE')))
      order by c.id`,
  )
  return rows.map(({ id }) => id)
}
