import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { ConfigError } from './config.ts'
import type { Database, Sql } from './db.ts'
import { rightMissing } from './errors.ts'
import { TENANT_ROLE } from './scope.ts'
import { rowsFrom, sql } from './sql.ts'

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Any number: processes that start together migrate one after the other. */
const LOCK = 7_262_451

/**
 * Brings the database up to the newest migration and rebuilds the wall between companies. Forward only. Each migration
 * is a transaction of its own, recorded by its name: where one fails, those before it stand and nothing of it does.
 * The lock is taken anew in each of these transactions, since a pooler may give the next one to another connection of
 * the server; so each asks again whether somebody else was faster.
 * Throws ConfigError when the database's user lacks a right for it.
 */
export async function migrate(
  database: Database,
  { folder = migrationsFolder, log }: { folder?: string; log?: Logger } = {},
): Promise<void> {
  const inTurn = <T>(work: (tx: Sql) => Promise<T>) =>
    database
      .transaction(`select pg_advisory_xact_lock(${LOCK});`, work, { patient: true })
      .catch(refuseWithoutRight)
  const migrations = readMigrations(folder)
  const done = await inTurn(tx => openRecord(tx, migrations))
  for (const migration of migrations) {
    if (done.has(migration.name)) continue
    const applied = await inTurn(tx => apply(tx, migration)).catch(error => {
      if (error instanceof ConfigError) throw error
      throw new Error(`migration ${migration.name} failed: ${error.message}`, { cause: error })
    })
    // on a new database nobody asks which
    if (applied)
      log?.[done.size > 0 ? 'info' : 'debug']({ migration: migration.name }, 'a migration was applied')
  }
  await inTurn(async tx => {
    await tx.execute(sql`create table if not exists file_places (place text not null)`)
    for (const statement of wall) await tx.execute(sql.raw(statement))
  })
}

interface Migration {
  /** As the journal has it, such as `0004_search_by_three_roads`. */
  name: string
  statements: string[]
  /** What it was recorded by before names were. */
  hash: string
}

function readMigrations(folder: string): Migration[] {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  return entries.map(({ tag }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return {
      name: tag,
      statements: text.split('--> statement-breakpoint'),
      hash: createHash('sha256').update(text).digest('hex'),
    }
  })
}

/** Answers the names of what was applied. A migration recorded by its hash gets its name, one that is not known is refused. */
async function openRecord(tx: Sql, migrations: Migration[]): Promise<Set<string>> {
  await tx.execute(
    sql`create table if not exists migrations (name text primary key, at timestamptz not null default now())`,
  )
  const names = new Map(migrations.map(({ hash, name }) => [hash, name]))
  const done = new Set<string>()
  for (const recorded of await recordedIn(tx)) {
    const name = names.get(recorded) ?? recorded
    if (/^[0-9a-f]{64}$/.test(name))
      throw new Error(
        `the database has a migration (${name}) whose text is not known here: nothing was changed`,
      )
    if (name !== recorded)
      await tx.execute(sql`update migrations set name = ${name} where name = ${recorded}`)
    done.add(name)
  }
  return done
}

/** False when another process was faster. */
async function apply(tx: Sql, { name, statements }: Migration): Promise<boolean> {
  if ((await recordedIn(tx)).includes(name)) return false
  for (const statement of statements) await tx.execute(sql.raw(statement))
  await tx.execute(sql`insert into migrations (name) values (${name})`)
  return true
}

async function recordedIn(tx: Sql): Promise<string[]> {
  const rows = await rowsFrom<{ name: string }>(tx, sql`select name from migrations order by name`)
  return rows.map(row => row.name)
}

function refuseWithoutRight(error: unknown): never {
  const missing = rightMissing(error)
  if (!missing) throw error
  throw new ConfigError(
    `DATABASE_URL: its user lacks a right (${missing}). It may create roles, or an administrator runs once: ` +
      `create role ${TENANT_ROLE}; grant ${TENANT_ROLE} to that user`,
  )
}

/** What a company writes of itself. */
const OWN_OF_COMPANY = `last_protocol, time_zone, name, company_name, slogan, logo_url, document_number,
  cep, street, number_address, complement, district, city, state, country`

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
  // a message that waited for its time takes its place when it leaves
  `grant usage on all sequences in schema public to ${TENANT_ROLE}`,
  // what a company pays for and whether it is on is the platform's to say
  `revoke update on companies from ${TENANT_ROLE}`,
  `grant select, update (${OWN_OF_COMPANY}) on companies to ${TENANT_ROLE}`,
  `revoke insert, update, delete on plans from ${TENANT_ROLE}`,
  // whether it is suspended follows from its invoices, which a transaction of its own may ask to be looked at
  `revoke execute on function settle_company from public`,
  `grant execute on function settle_company to ${TENANT_ROLE}`,
]
