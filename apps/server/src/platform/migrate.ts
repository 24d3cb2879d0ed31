import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { ConfigError } from './config.ts'
import type { Database, Sql } from './db.ts'
import { rightMissing } from './errors.ts'
import { TENANT_ROLE } from './scope.ts'
import { sql } from './sql.ts'

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Any number: processes that start together migrate one after the other. */
const LOCK = 7_262_451

/**
 * Brings the database up to the newest migration and rebuilds the wall between companies. Forward only.
 * Throws ConfigError when the database's user lacks a right for it.
 */
export async function migrate(database: Database): Promise<void> {
  const opening = `select pg_advisory_xact_lock(${LOCK});`
  const migrating = async (tx: Sql) => {
    await tx.execute(
      sql`create table if not exists migrations (name text primary key, at timestamptz not null default now())`,
    )
    const done = await applied(tx)
    for (const { hash, sql: statements } of readMigrationFiles({ migrationsFolder })) {
      if (done.has(hash)) continue
      for (const statement of statements) await tx.execute(sql.raw(statement))
      await tx.execute(sql`insert into migrations (name) values (${hash})`)
    }
    await tx.execute(sql`create table if not exists file_places (place text not null)`)
    for (const statement of wall) await tx.execute(sql.raw(statement))
  }
  await database.transaction(opening, migrating, { patient: true }).catch(error => {
    const missing = rightMissing(error)
    if (!missing) throw error
    throw new ConfigError(
      `DATABASE_URL: its user lacks a right (${missing}). It may create roles, or an administrator runs once: ` +
        `create role ${TENANT_ROLE}; grant ${TENANT_ROLE} to that user`,
    )
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
 * a row only when its company is the transaction's. Built from the catalogue, so that no new table can forget it. What
 * stands stays: to build it anew locks each table, and deadlocks with processes that are at work. Another policy comes
 * with a migration that drops this one.
 * A server whose user may not create roles needs `balcao_tenant` made once by its administrator.
 */
const wall = [
  `do $$ begin
     if not exists (select from pg_roles where rolname = '${TENANT_ROLE}') then
       create role ${TENANT_ROLE} nologin;
     end if;
   exception when duplicate_object or unique_violation then null; end $$`,
  // Whoever was given it by an administrator may not give it to itself again; before version 16 a member may take it on.
  `do $$ declare may text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
   begin
     if not pg_has_role(current_user, '${TENANT_ROLE}', may) then grant ${TENANT_ROLE} to current_user; end if;
   end $$`,
  `grant usage on schema public to ${TENANT_ROLE}`,
  `do $$ declare t record; begin
     for t in
       select c.oid, c.relname, c.relrowsecurity, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
         and a.attname = case when c.relname = 'companies' then 'id' else 'company_id' end
     loop
       if not t.relrowsecurity or not exists (
         select from pg_policy where polrelid = t.oid and polname = 'own_company'
           and polroles = array['${TENANT_ROLE}'::regrole::oid]
       ) then
         execute format('alter table %I enable row level security', t.relname);
         execute format('drop policy if exists own_company on %I', t.relname);
         execute format(
           'create policy own_company on %1$I to ${TENANT_ROLE} using (%2$I = (select current_setting(''app.company_id'')::int)) with check (%2$I = (select current_setting(''app.company_id'')::int))',
           t.relname, t.attname);
       end if;
       if t.relname <> 'companies' then
         execute format('grant select, insert, update, delete on %I to ${TENANT_ROLE}', t.relname);
       end if;
     end loop;
   end $$`,
  // what a company pays for and whether it is on is the platform's to say
  `revoke update on companies from ${TENANT_ROLE}`,
  `grant select, update (last_protocol, time_zone) on companies to ${TENANT_ROLE}`,
  `grant select on plans to ${TENANT_ROLE}`,
]
