import { EXPORT_DAYS } from '@balcao/contract/companyExports.ts'
import { namesFiles } from '../../platform/files/orphans.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, eq, gt, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companies } from '../companies/companies.table.ts'
import { companyExports } from './companyExports.table.ts'

/** The file of a package, as long as its link is valid. */
const addressNow = tag<
  string | null
>`case when ${companyExports.expiresAt} > now() then ${companyExports.mediaUrl} end`

export const exportFiles = namesFiles(companyExports, addressNow)

/** The address of the company's package whose link is valid; null without one. */
export async function packageNow(tx: Tx): Promise<string | null> {
  const [found] = await tx.sql.select({ address: addressNow }).from(companyExports).where(own(tx))
  return found?.address ?? null
}

const own = (tx: Tx) => eq(companyExports.companyId, tx.companyId)

/** The newest package of the company, locked until the commit; null without one. */
export async function lockExport(tx: Tx) {
  const [row] = await tx.sql.select().from(companyExports).where(own(tx)).for('update')
  return row ?? null
}

/** The newest package of a company; null without one, and when its link has expired. */
export async function findExport(sql: Sql, companyId: number) {
  const [row] = await sql
    .select()
    .from(companyExports)
    .where(
      and(
        eq(companyExports.companyId, companyId),
        tag`(${companyExports.expiresAt} is null or ${companyExports.expiresAt} > now())`,
      ),
    )
  return row ?? null
}

/** The file behind a link; null for one that has expired, and of a package that was replaced. */
export async function exportOfLink(sql: Sql, id: string) {
  const [row] = await sql
    .select({ companyId: companyExports.companyId, mediaUrl: companyExports.mediaUrl })
    .from(companyExports)
    .where(and(eq(companyExports.id, id), gt(companyExports.expiresAt, tag`now()`)))
  return row ?? null
}

/** Begins a new package in place of the one before; another transaction that begins one waits. Answers its id. */
export async function insertExport(tx: Tx, language: Letter['language']): Promise<string> {
  const begun = {
    id: tag`gen_random_uuid()`,
    state: 'making' as const,
    language,
    mediaUrl: null,
    bytes: 0,
    requestedAt: tag`now()`,
    expiresAt: null,
  }
  const [row] = await tx.sql
    .insert(companyExports)
    .values({ companyId: tx.companyId, ...begun })
    .onConflictDoUpdate({ target: companyExports.companyId, set: begun })
    .returning({ id: companyExports.id })
  return row!.id
}

export const nameOfCompany = async (tx: Tx): Promise<string> => {
  const [row] = await tx.sql
    .select({ name: companies.name })
    .from(companies)
    .where(eq(companies.id, tx.companyId))
  return row!.name
}

/** The package is ready. False where it was given up or replaced meanwhile. */
export async function finishExport(
  tx: Tx,
  id: string,
  { mediaUrl, bytes }: { mediaUrl: string; bytes: number },
): Promise<boolean> {
  const changed = await tx.sql
    .update(companyExports)
    .set({ state: 'ready', mediaUrl, bytes, expiresAt: tag`now() + make_interval(days => ${EXPORT_DAYS})` })
    .where(and(own(tx), eq(companyExports.id, id), eq(companyExports.state, 'making')))
    .returning({ id: companyExports.id })
  return changed.length > 0
}

/** All tries to make it have failed. */
export const failExport = (tx: Tx, id: string) =>
  tx.sql
    .update(companyExports)
    .set({ state: 'failed' })
    .where(and(own(tx), eq(companyExports.id, id), eq(companyExports.state, 'making')))
