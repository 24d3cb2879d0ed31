import { databaseDate } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { companyChanged } from './companies.events.ts'
import { setSetting } from './companies.settings.queries.ts'
import { accountStatus, companiesOwing, settleCompany } from './companies.status.queries.ts'

/** Changes the grace of the whole platform; companies are suspended by it, or restored, in the same transaction. */
export async function changeGrace(platform: PlatformScope, timeZone: string, days: string): Promise<void> {
  const changed = await platform.transaction(async sql => {
    await setSetting(sql, 'graceDays', days)
    return settleAll(sql, timeZone)
  })
  for (const companyId of changed) await platform.inCompany(companyId).transaction(publishCompany)
}

async function settleAll(sql: Sql, timeZone: string): Promise<number[]> {
  const changed: number[] = []
  for (const id of await companiesOwing(sql))
    if (await settleCompany(sql, id, databaseDate(), timeZone)) changed.push(id)
  return changed
}

/** Suspends or restores a company after a change of its invoices, or of the day. */
export async function settleAccountStatus(tx: Tx, now: Date): Promise<void> {
  if (!(await settleCompany(tx.sql, tx.companyId, now, tx.timeZone))) return
  tx.note('a company stands otherwise towards its invoices', await accountStatus(tx))
  await publishCompany(tx)
}

async function publishCompany(tx: Tx): Promise<void> {
  tx.emit(companyChanged, {})
  await tx.involve(companyChanged, {})
}
