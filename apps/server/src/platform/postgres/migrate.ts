import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { SEALING_KEYS } from '../access/sealed.ts'
import { ConfigError } from '../config.ts'
import { isLockHeld, rightMissing, wasEndedForAnother } from '../errors.ts'
import { VERSION } from '../observe/version.ts'
import { TENANT_ROLE } from '../scope.ts'
import { type Database, type Sql, UNHURRIED } from './db.ts'
import { rowsFrom, sql } from './sql.ts'

export const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** Any number: processes that start together migrate one after the other. */
const LOCK = 7_262_451

/**
 * While a migration waits for a table everybody else waits behind it: it gives up soon, and comes again. Nothing else has
 * a limit; its statements are short, since rows are not moved here (bin/rules/migrations.ts).
 */
const LOCK_MS = 3_000
const TRIES = 5
const FIRST_PAUSE_MS = 1_000

/**
 * Brings the database up to the newest migration and rebuilds the wall between companies. Forward only. Each migration
 * is a transaction of its own, recorded by its name: where one fails, those before it stay applied and nothing of it does.
 * The lock is acquired anew in each of these transactions, since a pooler may give the next one to another connection of
 * the server; so each asks again whether somebody else was faster.
 * Throws ConfigError when the database's user lacks a right for it, when the database was made before the first migration
 * or brought up to date by a newer version, or when others hold what a migration changes.
 */
export async function migrate(
  database: Database,
  { folder = migrationsFolder, log, before, lockMs = LOCK_MS, pauseMs = FIRST_PAUSE_MS }: Migrating = {},
): Promise<void> {
  const inTurn = <T>(work: (tx: Sql) => Promise<T>) =>
    database.direct
      .transaction(`${UNHURRIED}; select pg_advisory_xact_lock(${LOCK});`, work)
      .catch(refuseWithoutRight)
  const migrations = readMigrations(folder)
  const { done, version } = await inTurn(tx => openRecord(tx, migrations))
  const pending = migrations.map(({ name }) => name).filter(name => !done.has(name))
  if (done.size > 0 && pending.length > 0) {
    log?.info({ from: version, to: VERSION, pending }, 'the database is brought up to date')
    await before?.(pending)
  }
  for (const migration of migrations) {
    if (done.has(migration.name)) continue
    const once = () => inTurn(tx => apply(tx, migration, lockMs))
    const applied = await untilItHasItsLocks(once, migration, { log, pauseMs }).catch(error => {
      if (error instanceof ConfigError) throw error
      throw new Error(`migration ${migration.name} failed: ${error.message}`, { cause: error })
    })
    // on a new database the single names do not matter
    if (applied)
      log?.[done.size > 0 ? 'info' : 'debug']({ migration: migration.name }, 'a migration was applied')
  }
  // the role is shared with the other databases of the server, whose processes may change its rights meanwhile
  const rights = () =>
    inTurn(async tx => {
      await tx.execute(sql`create table if not exists file_places (place text not null)`)
      await tx.execute(SEALING_KEYS)
      for (const statement of wall) await tx.execute(sql.raw(statement))
    })
  await untilItHasItsLocks(rights, { name: 'of the rights' }, { log, pauseMs })
}

interface Migrating {
  folder?: string
  log?: Logger
  /** Called with what is pending, before the first migration of a database that a version before this one made. */
  before?: ((pending: string[]) => Promise<void>) | undefined
  /** So long a lock is waited for, and so long it is paused before the second try. */
  lockMs?: number
  pauseMs?: number
}

async function untilItHasItsLocks<T>(
  once: () => Promise<T>,
  { name }: Pick<Migration, 'name'>,
  { log, pauseMs }: { log: Logger | undefined; pauseMs: number },
): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await once()
    } catch (error) {
      if (!isLockHeld(error) && !wasEndedForAnother(error)) throw error
      if (tried === TRIES) throw lockNotFree(name)
      log?.warn({ migration: name, tried }, 'a migration waits for a table that others use: it tries again')
      await pause(pauseMs * 2 ** (tried - 1))
    }
}

const lockNotFree = (name: string) =>
  new ConfigError(
    `Migration ${name} did not get its lock in ${TRIES} tries: a transaction that goes on for long holds a table that it ` +
      'changes (pg_stat_activity shows it). Nothing of it was kept, and those before it stand. End that transaction, and start again',
  )

interface Migration {
  /** As the journal has it, such as `0000_baseline`. */
  name: string
  statements: string[]
}

/** Of every migration that this program knows. */
export const migrationNames = (): string[] => readMigrations(migrationsFolder).map(({ name }) => name)

function readMigrations(folder: string): Migration[] {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  return entries.map(({ tag }) => ({
    name: tag,
    statements: readFileSync(join(folder, `${tag}.sql`), 'utf8').split('--> statement-breakpoint'),
  }))
}

/**
 * Answers the names of what was applied, and by which version at last (null where that was not written down). What was applied without the first migration was built in another way, and what
 * this program does not know by a newer one: refused.
 */
async function openRecord(tx: Sql, migrations: Migration[]) {
  const [baseline] = migrations
  await tx.execute(
    sql`create table if not exists migrations (name text primary key, at timestamptz not null default now())`,
  )
  // by which version; null where that was not written down yet
  if (!(await hasVersions(tx))) await tx.execute(sql`alter table migrations add column version text`)
  const done = new Set(await recordedIn(tx))
  if (done.size > 0 && baseline && !done.has(baseline.name))
    throw new ConfigError(
      `The database was made by a version before the baseline of migrations (${baseline.name}) and cannot be brought up ` +
        'to date: nothing was changed. Start with an empty database',
    )
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...done].filter(name => !known.has(name))
  const version = await lastVersion(tx)
  if (unknown.length > 0) throw newerDatabase(version, unknown)
  return { done, version }
}

/** Asked before: to add a column waits for everybody who reads the table, also where it is there, and a dump reads for long. */
async function hasVersions(tx: Sql): Promise<boolean> {
  const columns = await rowsFrom(
    tx,
    sql`select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'version' and not attisdropped`,
  )
  return columns.length > 0
}

async function lastVersion(tx: Sql): Promise<string | null> {
  const [row] = await rowsFrom<{ version: string | null }>(
    tx,
    sql`select version from migrations where version is not null order by at desc, name desc limit 1`,
  )
  return row?.version ?? null
}

const newerDatabase = (version: string | null, unknown: string[]) =>
  new ConfigError(
    `The database was brought up to date by version ${version ?? 'unknown'}, and this one (${VERSION}) does not know ` +
      `its migrations ${unknown.join(', ')}: nothing was changed. Start the newer version, or restore a backup of this one`,
  )

/** Whether companies are kept there already, by whatever version. */
export const isBegun = (database: Database): Promise<boolean> =>
  database.transaction('', async tx => {
    const [table] = await rowsFrom<{ known: boolean }>(
      tx,
      sql`select to_regclass('public.companies') is not null as known`,
    )
    return table!.known && (await rowsFrom(tx, sql`select from companies limit 1`)).length > 0
  })

/** False when another process was faster. */
async function apply(tx: Sql, { name, statements }: Migration, lockMs: number): Promise<boolean> {
  if ((await recordedIn(tx)).includes(name)) return false
  await tx.execute(sql.raw(`set local lock_timeout = ${lockMs}`))
  for (const statement of statements) await tx.execute(sql.raw(statement))
  await tx.execute(sql`insert into migrations (name, version) values (${name}, ${VERSION})`)
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
const OWN_OF_COMPANY = `last_protocol, time_zone, phone_country, name, company_name, slogan, logo_url, document_number,
  cep, street, number_address, complement, district, city, state, country, keeps_deleted, reads_on_phone, push_shows_texts,
  thanks_minutes, reopens_on_thanks, out_of_hours_every,
  limits_by, suspension_notified`

/**
 * The second wall (the first is the company in every query): tenants' transactions run under a role that sees
 * a row only when its company is the transaction's. Built from the catalogue, so that no new table can forget it. What
 * exists stays: to build it anew locks each table, and deadlocks with processes that are at work. Another policy comes
 * with a migration that drops this one.
 * A server whose user may not create roles needs `balcao_tenant` made once by its administrator.
 */
const wall = [
  `do $$ begin
     if not exists (select from pg_roles where rolname = '${TENANT_ROLE}') then
       create role ${TENANT_ROLE} nologin;
     end if;
   exception when duplicate_object or unique_violation then null; end $$`,
  // Whoever was given it by an administrator may not give it to itself again; before version 16 a member may assume it.
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
  // a message that waited for its time gets its position when it is sent
  `grant usage on all sequences in schema public to ${TENANT_ROLE}`,
  // what a company pays for and whether it is on is decided by the platform
  `revoke update on companies from ${TENANT_ROLE}`,
  `grant select, update (${OWN_OF_COMPANY}) on companies to ${TENANT_ROLE}`,
  `revoke insert, update, delete on plans from ${TENANT_ROLE}`,
  // whether it is suspended follows from its invoices, which a transaction of its own may ask to be looked at
  `revoke execute on function settle_company from public`,
  `grant execute on function settle_company to ${TENANT_ROLE}`,
]
