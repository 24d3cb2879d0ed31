import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Sql } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { eq, rowsFrom, type SQL, sql as tag } from '../../platform/sql.ts'
import { companyChanged } from './companies.events.ts'
import { companies, settings } from './companies.table.ts'

/** So many days a company may be overdue; 0 where none is ever suspended, as long as nobody said otherwise. */
export async function graceDays(sql: Sql): Promise<string> {
  const [row] = await sql.select().from(settings).where(eq(settings.key, 'graceDays'))
  return row?.value ?? '0'
}

/** Changes the grace of the whole platform: in the same commit companies are suspended by it, or come back. */
export async function changeGrace(platform: PlatformScope, timeZone: string, days: string): Promise<void> {
  const changed = await platform.transaction(async sql => {
    await sql
      .insert(settings)
      .values({ key: 'graceDays', value: days })
      .onConflictDoUpdate({ target: settings.key, set: { value: days } })
    return settleAll(sql, timeZone)
  })
  for (const companyId of changed) await platform.inCompany(companyId).transaction(tellPeople)
}

/** Those that stand otherwise now, in the order in which everybody locks them. */
async function settleAll(sql: Sql, timeZone: string): Promise<number[]> {
  const owing = await rowsFrom<{ id: number }>(
    sql,
    tag`select c.id from companies c where c.pay_by is not null
      or exists (select from invoices i where i.company_id = c.id and i.status in ('PENDING', 'OVERDUE')) order by c.id`,
  )
  const changed: number[] = []
  for (const { id } of owing) if (await settled(sql, id, new Date(), timeZone)) changed.push(id)
  return changed
}

/**
 * What an invoice that was made, paid or deleted, or a new day, does to the company: in the same commit it is suspended or
 * comes back, and after it its people hear of it.
 */
export async function settleStanding(tx: Tx, now: Date): Promise<void> {
  if (!(await settled(tx.sql, tx.companyId, now, tx.timeZone))) return
  const [stands] = await tx.sql
    .select({ payBy: companies.payBy, suspendedAt: companies.suspendedAt })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  tx.note('a company stands otherwise towards its invoices', stands!)
  await tellPeople(tx)
}

async function settled(sql: Sql, companyId: number, now: Date, timeZone: string): Promise<boolean> {
  const [row] = await rowsFrom<{ changed: boolean }>(
    sql,
    tag`select settle_company(${companyId}::int, ${now.toISOString()}::timestamptz, ${timeZone}) as changed`,
  )
  return row!.changed
}

async function tellPeople(tx: Tx): Promise<void> {
  tx.emit(companyChanged, {})
  await tx.involve(companyChanged, {})
}

/** Whether nothing of the company is sent, because it does not pay. */
export async function isSuspended(tx: Tx): Promise<boolean> {
  const [row] = await tx.sql
    .select({ suspendedAt: companies.suspendedAt })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.suspendedAt !== null
}

/** Refuses with ERR_COMPANY_SUSPENDED what would send something. */
export async function askStanding(tx: Tx): Promise<void> {
  if (await isSuspended(tx)) refuse('ERR_COMPANY_SUSPENDED')
}

/** What waits of a company that is switched off, or suspended, waits on, and goes on where it stopped. */
export const isAtWork = (companyId: AnyPgColumn): SQL =>
  tag`exists (select from companies c where c.id = ${companyId} and c.status = 1 and c.suspended_at is null)`
