import type { AutopayCompany } from '@balcao/contract/autopay.ts'
import type { RecurrenceMonths } from '@balcao/contract/invoices.rules.ts'
import { onePage } from '../../platform/lists/lists.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import {
  and,
  desc,
  eq,
  gte,
  inArray,
  lte,
  ne,
  not,
  rowsFrom,
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
import type { InvoiceRow } from '../invoices/invoices.queries.ts'
import { invoices } from '../invoices/invoices.table.ts'
import { UNSCHEDULED } from './autopay.rules.ts'
import { autopayWays } from './autopay.table.ts'

export type WayRow = typeof autopayWays.$inferSelect
export type ClaimedWay = ClaimedRow<typeof autopayWays>

const CURRENT: WayRow['state'][] = ['wanted', 'waiting', 'active']
const ofCompany = (tx: Pick<Tx, 'companyId'>) => eq(autopayWays.companyId, tx.companyId)
const itself = (tx: Pick<Tx, 'companyId'>, id: number) => and(ofCompany(tx), eq(autopayWays.id, id))

/** The way that counts, locked; null where there is none. */
export async function lockCurrentWay(tx: Tx): Promise<WayRow | null> {
  const [row] = await tx.sql
    .select()
    .from(autopayWays)
    .where(and(ofCompany(tx), inArray(autopayWays.state, CURRENT)))
    .for('update')
  return row ?? null
}

/** The one that counts, else the newest; null where there is none. */
export async function lastWay(tx: Tx): Promise<WayRow | null> {
  const [row] = await tx.sql
    .select()
    .from(autopayWays)
    .where(ofCompany(tx))
    .orderBy(desc(tag`${autopayWays.state} in ('wanted', 'waiting', 'active')`), desc(autopayWays.id))
    .limit(1)
  return row ?? null
}

/** Locked; null where there is none. */
export async function lockWay(tx: Tx, id: number): Promise<WayRow | null> {
  const [row] = await tx.sql.select().from(autopayWays).where(itself(tx, id)).for('update')
  return row ?? null
}

export const insertWay = (tx: Tx, values: Pick<WayRow, 'kind' | 'state' | 'provider'>) =>
  tx.sql.insert(autopayWays).values({ companyId: tx.companyId, ...values })

export const updateWay = (tx: Tx, id: number, values: LeasedValues<typeof autopayWays>) =>
  tx.sql.update(autopayWays).set(values).where(itself(tx, id))

/** The authorization of any company by the provider’s id; null where none of here has it. */
export async function wayNamed(sql: Sql, provider: string, authorizationId: string) {
  const [row] = await sql
    .select({ companyId: autopayWays.companyId, id: autopayWays.id })
    .from(autopayWays)
    .where(
      and(
        tag`${autopayWays.provider} = ${provider}`,
        eq(autopayWays.authorizationId, authorizationId),
        ne(autopayWays.authorizationId, ''),
      ),
    )
  return row ?? null
}

/** The ways whose first payments have these codes. */
export const waysOfCodes = (sql: Sql, provider: string, qrIds: string[]) =>
  sql
    .select({
      ...{ companyId: autopayWays.companyId, id: autopayWays.id, qrId: autopayWays.qrId },
      invoiceId: autopayWays.invoiceId,
    })
    .from(autopayWays)
    .where(
      and(
        tag`${autopayWays.provider} = ${provider}`,
        inArray(autopayWays.qrId, qrIds),
        ne(autopayWays.qrId, ''),
      ),
    )

/** Authorizations that are to be asked for, asked after or ended. */
export const waysDue = (sql: Sql, limit: number, passed: number[] = []) =>
  sql
    .select({ companyId: autopayWays.companyId, id: autopayWays.id })
    .from(autopayWays)
    .where(
      and(
        // as the index has it
        tag`${autopayWays.kind} = 'pix' and ${autopayWays.state} <> 'ended'`,
        lte(autopayWays.dueAt, tag`now()`),
        outside(autopayWays.companyId, passed),
      ),
    )
    .orderBy(autopayWays.dueAt)
    .limit(limit)

/** Null when another worker has it. */
export const claimWay = (tx: Tx, id: number, ms: number) =>
  claimRow(tx, autopayWays, eq(autopayWays.id, id), ms)

/** Throws RowLeaseLost. */
export const keepWay = (tx: Tx, id: number, until: string, ms: number) =>
  keepRow(tx, autopayWays, eq(autopayWays.id, id), until, ms)

/** Puts off a way whose claim is still the last. */
export const putOffWay = (tx: Tx, id: number, until: string, values: LeasedValues<typeof autopayWays>) =>
  settleRow(tx, autopayWays, eq(autopayWays.id, id), values, until)

/** Nothing was asked for; the next authorization has another name at the provider. While the claim is still the last. */
export const beginAgain = (tx: Tx, id: number, until: string) =>
  putOffWay(tx, id, until, {
    ...{ provider: '', invoiceId: null, value: null, months: null, reference: tag`gen_random_uuid()` },
    ...{ dueAt: fromNow(0), attempts: 0 },
  })

/** The unpaid invoice of a period that owes at least so much and is due first, locked; null where there is none. */
export async function authorizingInvoice(tx: Tx, leastCents: number): Promise<InvoiceRow | null> {
  const [row] = await tx.sql
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, tx.companyId),
        inArray(invoices.status, ['PENDING', 'OVERDUE']),
        eq(invoices.description, ''),
        gte(tag`${invoices.value} - ${invoices.paidValue}`, leastCents),
      ),
    )
    .orderBy(invoices.dueDate, invoices.id)
    .limit(1)
    .for('update')
  return row ?? null
}

/** Its charge is paid by its page alone. */
const isOrdinary = tag`exists (select from charges c where c.company_id = ${invoices.companyId}
  and c.invoice_id = ${invoices.id} and c.state in ('wanted', 'open') and c.is_ordinary)`

/**
 * What is owed and due first, but for one invoice, and for those that are paid by their pages alone. `months`: what an authorization for periods of so many months debits; null: of
 * any.
 */
export async function nextOwed(
  tx: Tx,
  { months, but }: { months: RecurrenceMonths | null; but: number | null },
) {
  const [row] = await tx.sql
    .select({
      ...{ id: invoices.id, dueDate: invoices.dueDate, paymentLink: invoices.paymentLink },
      owed: tag<number>`(${invoices.value} - ${invoices.paidValue})::int`,
    })
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, tx.companyId),
        inArray(invoices.status, ['PENDING', 'OVERDUE']),
        months === null
          ? undefined
          : and(eq(invoices.recurrence, months), ne(invoices.paymentProblem, UNSCHEDULED)),
        but === null ? undefined : ne(invoices.id, but),
        not(isOrdinary),
      ),
    )
    .orderBy(invoices.dueDate, invoices.id)
    .limit(1)
  return row ?? null
}

/** Companies with a way that counts and that are deleted, switched off, ended or paused on the day of their own clocks. */
export async function lapsedPayers(sql: Sql, usualZone: string): Promise<number[]> {
  const today = tag`(now() at time zone coalesce(c.time_zone, ${usualZone}))::date`
  const rows = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c where exists (
        select from autopay_ways w where w.company_id = c.id and w.state in ('wanted', 'waiting', 'active'))
      and (c.leaving_at is not null or c.status <> 1
        or exists (select from subscriptions s where s.company_id = c.id and s.ends_on < ${today})
        or exists (select from subscription_pauses p where p.company_id = c.id and p.from_day <= ${today}
          and coalesce(p.until_day > ${today}, true)))
      order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Of companies that are being deleted: their authorizations are to be ended first. */
const ofLeaving = tag`kind = 'pix' and state in ('wanted', 'waiting', 'active') and exists (
  select from companies c where c.id = autopay_ways.company_id and c.leaving_at is not null)`

export const leavingWays = (sql: Sql) =>
  sql.select({ id: autopayWays.id }).from(autopayWays).where(ofLeaving).limit(1)

export const endLeavingWays = (sql: Sql) =>
  sql
    .update(autopayWays)
    .set({
      state: tag`case ${autopayWays.provider} when '' then 'ended' else 'ending' end`,
      ...{ reason: 'stopped', dueAt: fromNow(0) },
    })
    .where(ofLeaving)

export async function autopayCompanies(sql: Sql, pageNumber: number | undefined) {
  const { rows, hasMore } = await onePage({ pageNumber }, (limit, offset) =>
    rowsFrom<AutopayCompany>(
      sql,
      tag`select w.company_id as "companyId", c.name as "companyName", w.kind, w.state, w.brand,
          w.last_digits as "lastDigits", w.problem,
          to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
        from autopay_ways w join companies c on c.id = w.company_id
        where w.state in ('wanted', 'waiting', 'active') order by c.name, c.id limit ${limit} offset ${offset}`,
    ),
  )
  return { companies: rows, hasMore }
}
