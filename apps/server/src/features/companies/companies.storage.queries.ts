import type { FileCount } from '../../platform/files/files.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { companyFiles, plans } from './companies.table.ts'

/** MiB that the plan of a company includes; 0 for no limit. */
export async function storageLimitOf(tx: Tx): Promise<number> {
  const [row] = await tx.sql
    .select({ limitMb: plans.storageLimitMb })
    .from(plans)
    .where(eq(plans.companyId, tx.companyId))
  return row?.limitMb ?? 0
}

export async function fileCountOf(tx: Tx): Promise<FileCount | null> {
  const [row] = await tx.sql
    .select({ files: companyFiles.files, bytes: companyFiles.bytes })
    .from(companyFiles)
    .where(eq(companyFiles.companyId, tx.companyId))
  return row ?? null
}

export async function setFileCount(tx: Tx, count: FileCount): Promise<FileCount> {
  await tx.sql
    .insert(companyFiles)
    .values({ ...count, companyId: tx.companyId })
    .onConflictDoUpdate({ target: companyFiles.companyId, set: count })
  return count
}

export const addToFileCount = (tx: Tx, { files, bytes }: FileCount) =>
  tx.sql
    .update(companyFiles)
    .set({ files: tag`${companyFiles.files} + ${files}`, bytes: tag`${companyFiles.bytes} + ${bytes}` })
    .where(eq(companyFiles.companyId, tx.companyId))

export const companiesWithCounts = (sql: Sql) => sql.select({ id: companyFiles.companyId }).from(companyFiles)
