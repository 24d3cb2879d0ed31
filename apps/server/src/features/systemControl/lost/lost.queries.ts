import type { Sql } from '../../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'

/** Of all companies, by their ids. */
export async function companyNames(sql: Sql): Promise<Map<number, string>> {
  const rows = await rowsFrom<{ id: number; name: string }>(sql, tag`select id, name from companies`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
