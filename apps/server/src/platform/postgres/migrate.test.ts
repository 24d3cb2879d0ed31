import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../../testing/postgres.ts'
import { ConfigError } from '../config.ts'
import { createLog } from '../observe/log.ts'
import { VERSION } from '../observe/version.ts'
import { type Database, openDatabase } from './db.ts'
import { isBegun, migrate, migrationsFolder } from './migrate.ts'
import { rowsFrom, sql } from './sql.ts'

const done: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

async function place() {
  const { url, drop } = await createDatabase()
  done.push(drop)
  return () => {
    const database = openDatabase(url)
    done.push(database.close)
    return database
  }
}

const openEmpty = async () => (await place())()

test('an empty database gets every migration once, in order', async () => {
  const database = await openEmpty()
  const names = await namesIn(migrationsFolder)
  const logged = listening()
  await migrate(database, logged)
  expect(logged.applied()).toEqual(names)
  expect(await recorded(database)).toEqual(names)

  const again = listening()
  await migrate(database, again)
  expect(again.applied(), 'nothing runs twice').toEqual([])
})

test('a migration that fails in the middle is named, those before it stand, and nothing of it does', async () => {
  const database = await openEmpty()
  await migrate(database)
  const names = await namesIn(migrationsFolder)
  const { folder, write } = await newer()
  await write('9001_good', 'create table good (id int)')
  await write('9002_bad', 'create table half (id int);--> statement-breakpoint\nselect 1 / 0;')
  await write('9003_next', 'create table next (id int)')
  const logged = listening()

  await expect(migrate(database, { folder, ...logged })).rejects.toThrow(
    /^migration 9002_bad failed: division by zero$/,
  )
  expect(logged.applied()).toEqual(['9001_good'])
  expect(await recorded(database)).toEqual([...names, '9001_good'])
  expect(await tablesOf(database, 'good', 'half', 'next')).toEqual(['good'])

  await write('9002_bad', 'create table half (id int)')
  await migrate(database, { folder })
  expect(await tablesOf(database, 'good', 'half', 'next')).toEqual(['good', 'half', 'next'])
})

test('a migration waits for a table only briefly, so that nobody waits long behind it, and comes again until it has it', async () => {
  const open = await place()
  const [atWork, starting] = [open(), open()]
  await migrate(atWork)
  const { folder, write } = await newer()
  await write('9001_holidays', 'alter table companies add column holidays int')
  const logged = listening()
  const patience = { folder, ...logged, lockMs: 50, pauseMs: 20 }
  const using = (work: (tries: () => number) => Promise<void>) =>
    atWork.transaction('set local idle_in_transaction_session_timeout = 0', async tx => {
      await tx.execute(sql.raw('lock table companies in access share mode'))
      await work(() => logged.applied().length)
    })

  await using(async tries => {
    const refused = migrate(starting, patience)
    await expect(refused).rejects.toBeInstanceOf(ConfigError)
    await expect(refused).rejects.toThrow(
      /^Migration 9001_holidays did not get its lock in 5 tries: .*start again$/,
    )
    expect(tries()).toBe(4)
  })
  expect(await recorded(starting)).not.toContain('9001_holidays')

  let later: Promise<void> | undefined
  await using(async tries => {
    later = migrate(starting, patience)
    await expect.poll(tries).toBe(5)
  })
  await later
  expect(await recorded(starting)).toContain('9001_holidays')
})

test('a start that changes nothing does not wait for a dump, which reads every table for as long as it takes', async () => {
  const open = await place()
  const [atWork, starting] = [open(), open()]
  await migrate(atWork)
  await atWork.transaction('set local idle_in_transaction_session_timeout = 0', async tx => {
    const tables = await rowsFrom<{ name: string }>(
      tx,
      sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    await tx.execute(sql.raw(`lock table ${tables.map(({ name }) => name)} in access share mode`))
    await migrate(starting)
  })
})

test('a migration has no other limit: not that of the statements that people wait for', async () => {
  const database = await openEmpty()
  const { folder, write } = await newer()
  await write('9001_limits', "create table limits as select current_setting('statement_timeout') as every")
  await migrate(database, { folder })
  expect(await askIn(database, 'select every from limits')).toEqual([{ every: '0' }])
})

test('a database that a newer version brought up to date is refused in one line that names its migrations and both versions', async () => {
  const database = await openEmpty()
  await migrate(database)
  const before = await recorded(database)
  await database.script(
    `insert into migrations (name, at, version) values ('9001_later', now() + interval '1 hour', '99.1.0'), ('9002_last', now(), '99.1.0')`,
  )
  const starting = migrate(database)
  await expect(starting).rejects.toBeInstanceOf(ConfigError)
  await expect(starting).rejects.toThrow(
    `brought up to date by version 99.1.0, and this one (${VERSION}) does not know its migrations 9001_later, 9002_last: nothing was changed.`,
  )
  expect(await recorded(database)).toEqual([...before, '9001_later', '9002_last'])
})

test('an upgrade says what it changes and waits for what precedes it; where that fails nothing is changed', async () => {
  const database = await openEmpty()
  const called: string[] = []
  const before = async () => void called.push(`of ${(await recorded(database)).length}`)
  await migrate(database, { before })
  await migrate(database, { before })
  expect(called, 'neither a new database nor one that is up to date').toEqual([])
  const { folder, write } = await newer()
  await write('9001_later', 'create table later (id int)')
  const logged = listening()
  const full = async () => Promise.reject(new ConfigError('no room'))
  await expect(migrate(database, { folder, before: full })).rejects.toThrow('no room')
  expect(await recorded(database)).not.toContain('9001_later')
  await migrate(database, { folder, before, ...logged })
  expect(called).toEqual([`of ${(await namesIn(migrationsFolder)).length}`])
  expect(logged.upgrades()).toMatchObject([{ from: VERSION, to: VERSION, pending: ['9001_later'] }])
})

test('whether a database holds companies is known of an empty one too', async () => {
  const database = await openEmpty()
  expect(await isBegun(database)).toBe(false)
  await migrate(database)
  expect(await isBegun(database)).toBe(false)
  await database.script(`insert into companies (name) values ('Lume')`)
  expect(await isBegun(database)).toBe(true)
})

test.each([
  ['by their names', '0000_tables'],
  ['by the hashes of their texts', 'ab'.repeat(32)],
])(
  `a database whose migrations were recorded before the baseline, %s, is refused in one line and stays as it is`,
  async (_, before) => {
    const database = await openEmpty()
    await database.script(
      `create table migrations (name text primary key, at timestamptz not null default now());
         insert into migrations (name) values ('${before}'), ('0001_ticket_counts');
         create table companies (id int)`,
    )
    await expect(migrate(database)).rejects.toThrow(
      /^The database was made by a version before the baseline .*: nothing was changed\..*$/,
    )
    await expect(migrate(database)).rejects.toBeInstanceOf(ConfigError)
    expect(await recorded(database)).toEqual(['0001_ticket_counts', before].toSorted())
    expect(await tablesOf(database, 'companies', 'tickets', 'file_places')).toEqual(['companies'])
  },
)

const journal = 'meta/_journal.json'

async function namesIn(folder: string) {
  const { entries } = JSON.parse(await readFile(join(folder, journal), 'utf8')) as {
    entries: { tag: string }[]
  }
  return entries.map(({ tag }) => tag)
}

/** A copy of the migrations to which newer ones are added. */
async function newer() {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  done.push(() => rm(folder, { recursive: true }))
  await cp(migrationsFolder, folder, { recursive: true })
  async function write(name: string, text: string) {
    const names = new Set([...(await namesIn(folder)), name])
    await writeFile(join(folder, `${name}.sql`), text)
    await writeFile(join(folder, journal), JSON.stringify({ entries: [...names].map(tag => ({ tag })) }))
  }
  return { folder, write }
}

function listening() {
  const lines: { migration?: string; from?: string; to?: string; pending?: string[] }[] = []
  const log = createLog({ logLevel: 'debug' }, { write: line => lines.push(JSON.parse(line)) })
  return {
    log,
    applied: () => lines.flatMap(({ migration }) => migration ?? []),
    upgrades: () => lines.filter(({ pending }) => pending),
  }
}

async function askIn(database: Database, question: string) {
  const answer = database.transaction('', tx => tx.execute(sql.raw(question)))
  return ((await answer) as { rows: Record<string, unknown>[] }).rows
}

const recorded = async (database: Database) =>
  (await askIn(database, 'select name from migrations order by name')).map(({ name }) => name)

const tablesOf = async (database: Database, ...names: string[]) =>
  (
    await askIn(
      database,
      `select tablename from pg_tables where tablename in ('${names.join("', '")}') order by 1`,
    )
  ).map(({ tablename }) => tablename)

test('who starts on a database that is up to date is in nobody’s way', async () => {
  const open = await place()
  const [atWork, starting] = [open(), open()]
  await migrate(atWork)
  await atWork.transaction('', async tx => {
    for (const table of ['tickets', 'companies', 'contacts'])
      await tx.execute(sql.raw(`lock table ${table} in row exclusive mode`))
    await migrate(starting)
  })
})

test('four that start at once on an empty database all find it whole', async () => {
  const open = await place()
  const four = [open(), open(), open(), open()]
  const logged = listening()
  await Promise.all(four.map(database => migrate(database, logged)))
  expect(logged.applied().toSorted(), 'each once').toEqual(await namesIn(migrationsFolder))
  const [found] = await askIn(
    four[0]!,
    `select count(*)::int as walls from pg_policy where polname = 'own_company'`,
  )
  expect(found!.walls).toBeGreaterThan(20)
})
