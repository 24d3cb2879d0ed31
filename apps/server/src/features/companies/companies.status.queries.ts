import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { refuse } from '../../platform/errors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, rowsFrom, type SQL, type SQLWrapper, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies } from './companies.table.ts'

/** Companies that may owe something, in the order in which their rows are locked. */
export async function companiesOwing(sql: Sql): Promise<number[]> {
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c where c.pay_by is not null
      or exists (select from invoices i where i.company_id = c.id and i.status in ('PENDING', 'OVERDUE')) order by c.id`,
  )
  return rows.map(({ id }) => id)
}

export async function settleCompany(
  sql: Sql,
  companyId: number,
  now: Date,
  timeZone: string,
): Promise<boolean> {
  const [row] = await rowsFrom<{ changed: boolean }>(
    sql,
    tag`select settle_company(${companyId}::int, ${now.toISOString()}::timestamptz, ${timeZone}) as changed`,
  )
  return row!.changed
}

export async function accountStatus(tx: Tx) {
  const [row] = await tx.sql
    .select({
      ...{ payBy: companies.payBy, suspendedAt: companies.suspendedAt },
      ...{ pauseReason: companies.pauseReason, pauseUntil: companies.pauseUntil },
      suspensionNotified: companies.suspensionNotified,
    })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!
}

/** Whether the company is suspended: nothing of it is sent. */
export async function isSuspended(tx: Tx): Promise<boolean> {
  const [row] = await tx.sql
    .select({ suspendedAt: companies.suspendedAt })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.suspendedAt !== null
}

/** Refuses with ERR_COMPANY_SUSPENDED. */
export async function readAccountStatus(tx: Tx): Promise<void> {
  if (await isSuspended(tx)) refuse('ERR_COMPANY_SUSPENDED')
}

/** Whether a company is active and not suspended; the work of others waits, and continues when it is again. */
export const isAtWork = (companyId: AnyPgColumn): SQL =>
  tag`exists (select from companies c where c.id = ${companyId} and ${atWork(tag.raw('c'))})`

/** For work that may be much of one company: read by company, so that rows of the others are not read. */
const companyIsAtWork = atWork(tag`${companies}`)

/** Due rows read by time, of all companies. */
const EARLY = 200

/**
 * Due rows of companies at work, as `found`: the earliest by time; where EARLY are due, which may be of companies not at
 * work, by company.
 */
export function dueAtWork({
  early,
  ofEach,
  also = tag`true`,
  ready = tag`true`,
}: {
  /** Due rows by time, at most `most`, with `company_id`. */
  early(most: number): SQLWrapper
  ofEach: SQLWrapper
  /** What else a company must have. */
  also?: SQL
  /** What else one of the earliest must have (`early`): asked only where they are few. */
  ready?: SQL
}): SQL {
  return tag`(
    with early as materialized ${early(EARLY)}, few as (select count(*) < ${EARLY} as are from early)
    select early.* from early join ${companies} on ${companies.id} = early.company_id
      where (select are from few) and ${companyIsAtWork} and ${also} and ${ready}
    union all
    select due.* from ${companies} cross join lateral ${ofEach} due
      where not (select are from few) and ${companyIsAtWork} and ${also}) found`
}

function atWork(company: SQL): SQL {
  return tag`${company}.status = 1 and ${company}.suspended_at is null`
}
