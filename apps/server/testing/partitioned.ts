import type { Database } from '../src/platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../src/platform/postgres/sql.ts'

/** Tables that grow with each message. */
const LARGE = ['messages', 'tickets', 'ticket_history', 'contacts', 'contact_identifiers']
const PARTS = 8

/**
 * Makes each large table one with partitions by a hash of the company, with its rows, indexes and policies, as it is
 * where a database is spread over servers. Its foreign keys and triggers go: reads alone are counted on it.
 */
export async function partitionByCompany(database: Database): Promise<void> {
  for (const table of LARGE) {
    const columns = await columnsOf(database, table)
    const indexes = await database.transaction('', sql =>
      rowsFrom<{ definition: string }>(
        sql,
        tag`select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = ${table}::regclass`,
      ),
    )
    const parts = Array.from(
      { length: PARTS },
      (_, at) =>
        `create table ${table}_${at} partition of ${table} for values with (modulus ${PARTS}, remainder ${at});`,
    )
    await database.script(`
      alter table ${table} rename to ${table}_whole;
      create table ${table} (like ${table}_whole including defaults including generated including identity)
        partition by hash (company_id);
      ${parts.join('\n')}
      do $$ declare p record; begin
        for p in select polname from pg_policy where polrelid = '${table}_whole'::regclass loop
          execute format('drop policy %I on ${table}_whole', p.polname);
        end loop;
      end $$;
      insert into ${table} (${columns}) overriding system value select ${columns} from ${table}_whole;
      drop table ${table}_whole cascade;
      ${indexes.map(({ definition }) => `${definition.replace(` ${table}_whole `, ` ${table} `)};`).join('\n')}
      alter table ${table} enable row level security;
      create policy own_company on ${table} to balcao_tenant
        using (company_id = (select current_setting('app.company_id')::int));
      grant select, insert, update, delete on ${table} to balcao_tenant;`)
  }
  await database.script('analyze')
}

async function columnsOf(database: Database, table: string) {
  const rows = await database.transaction('', sql =>
    rowsFrom<{ name: string }>(
      sql,
      tag`select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0
        and not attisdropped and attgenerated = '' order by attnum`,
    ),
  )
  return rows.map(({ name }) => `"${name}"`).join()
}
