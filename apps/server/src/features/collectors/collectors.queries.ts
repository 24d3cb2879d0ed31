import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import { eq } from '../../platform/postgres/sql.ts'
import { collectors } from './collectors.table.ts'

export type CollectorRow = typeof collectors.$inferSelect

export const collectorRows = (sql: Sql): Promise<CollectorRow[]> => sql.select().from(collectors)

/** The stored account at a provider, locked; null where there is none. */
export async function lockCollector(sql: Sql, name: CollectorName): Promise<CollectorRow | null> {
  const [row] = await sql.select().from(collectors).where(eq(collectors.name, name)).for('update')
  return row ?? null
}

export const putCollector = (sql: Sql, row: CollectorRow) =>
  sql.insert(collectors).values(row).onConflictDoUpdate({ target: collectors.name, set: row })
