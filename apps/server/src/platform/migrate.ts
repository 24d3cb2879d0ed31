import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Database, Sql } from './db.ts'
import { TENANT_ROLE } from './scope.ts'
import { sql } from './sql.ts'

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Any number: processes that start together migrate one after the other. */
const LOCK = 7_262_451

/** Brings the database up to the newest migration and rebuilds the wall between companies. Forward only. */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(`select pg_advisory_xact_lock(${LOCK});`, async tx => {
    await tx.execute(
      sql`create table if not exists migrations (name text primary key, at timestamptz not null default now())`,
    )
    const done = await applied(tx)
    for (const { hash, sql: statements } of readMigrationFiles({ migrationsFolder })) {
      if (done.has(hash)) continue
      for (const statement of statements) await tx.execute(sql.raw(statement))
      await tx.execute(sql`insert into migrations (name) values (${hash})`)
    }
    for (const statement of wall) await tx.execute(sql.raw(statement))
  })
}

async function applied(tx: Sql) {
  const { rows } = (await tx.execute(sql`select name from migrations`)) as unknown as {
    rows: { name: string }[]
  }
  return new Set(rows.map(row => row.name))
}

/**
 * The second wall (the first is the company in every query): tenants' transactions run under a role that sees
 * a row only when its company is the transaction's. Built from the catalogue, so that no new table can forget it.
 * A server whose user may not create roles needs `balcao_tenant` made once by its administrator.
 */
const wall = [
  `do $$ begin
     if not exists (select from pg_roles where rolname = '${TENANT_ROLE}') then
       create role ${TENANT_ROLE} nologin;
     end if;
   exception when duplicate_object or unique_violation then null; end $$`,
  `grant ${TENANT_ROLE} to current_user`,
  `grant usage on schema public to ${TENANT_ROLE}`,
  `do $$ declare t record; begin
     for t in
       select c.oid, c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and a.attname = 'company_id' and not a.attisdropped
     loop
       execute format('alter table %I enable row level security', t.relname);
       execute format('drop policy if exists own_company on %I', t.relname);
       execute format(
         'create policy own_company on %I to ${TENANT_ROLE} using (company_id = (select current_setting(''app.company_id'')::int)) with check (company_id = (select current_setting(''app.company_id'')::int))',
         t.relname);
       execute format('grant select, insert, update, delete on %I to ${TENANT_ROLE}', t.relname);
     end loop;
   end $$`,
  `alter table companies enable row level security`,
  `drop policy if exists own_company on companies`,
  `create policy own_company on companies to ${TENANT_ROLE} using (id = (select current_setting('app.company_id')::int))`,
  `grant select, update on companies to ${TENANT_ROLE}`,
  `grant select on plans to ${TENANT_ROLE}`,
]
