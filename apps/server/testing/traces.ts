import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'
import type { TestApp } from './test-app.ts'

/** Locations of any of these texts in the whole database and among the files: `table.column`, or `files`. */
export async function placesWith(app: TestApp, marks: string[]): Promise<string[]> {
  const columns = await textColumns(app)
  const byTable = Map.groupBy(columns, ({ table }) => table)
  const found: string[] = []
  for (const [table, its] of byTable) {
    const asked = its.map(
      ({ column }) =>
        tag`coalesce(bool_or(${tag.identifier(column)}::text ilike any(${patterns(marks)}::text[])), false) as ${tag.identifier(column)}`,
    )
    const [row] = await app.database.transaction('', sql =>
      rowsFrom<Record<string, boolean>>(sql, tag`select ${tag.join(asked, tag`, `)} from ${tag.raw(table)}`),
    )
    for (const [column, stands] of Object.entries(row!)) if (stands) found.push(`${table}.${column}`)
  }
  if (standsInFiles(app.platform.config.dataDir, marks)) found.push('files')
  return found.toSorted()
}

const patterns = (marks: string[]) => `{${marks.map(mark => `"%${mark}%"`).join()}}`

/** Every column of the product's tables, and of its jobs, that can hold words: texts, JSON, lists of texts, bytes. */
export async function textColumns({ database }: TestApp): Promise<{ table: string; column: string }[]> {
  const rows = await database.transaction('', sql =>
    rowsFrom<{ table: string; column: string }>(
      sql,
      tag`select case when c.table_schema = 'public' then c.table_name else 'pgboss.' || c.table_name end as table,
          c.column_name as column
        from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where (c.table_schema = 'public' or (c.table_schema = 'pgboss' and c.table_name = 'job'))
          and t.table_type = 'BASE TABLE'
          and (c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea')
            or c.udt_name in ('_text', '_varchar', '_jsonb'))
        order by 1, c.ordinal_position`,
    ),
  )
  return rows
}

function standsInFiles(dataDir: string, marks: string[]): boolean {
  const paths = readdirSync(join(dataDir), { recursive: true, withFileTypes: true })
  return paths
    .filter(entry => entry.isFile())
    .some(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return marks.some(mark => bytes.includes(mark))
    })
}
