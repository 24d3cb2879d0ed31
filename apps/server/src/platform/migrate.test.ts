import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createDatabase, postgresServer } from '../../testing/postgres.ts'
import { type Database, openLite, overLite, overServer } from './db.ts'
import { createLog } from './log.ts'
import { migrate, migrationsFolder } from './migrate.ts'
import { sql } from './sql.ts'

const server = await postgresServer()
const missing = 'missing' in server ? `(${server.missing})` : ''
const done: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const undo of done.reverse()) await undo()
})

async function place() {
  const { url, drop } = await createDatabase('url' in server ? server.url : '')
  done.push(drop)
  return () => {
    const database = overServer(url)
    done.push(database.close)
    return database
  }
}

const openEmpty = {
  pglite: async () => {
    const database = overLite(await openLite())
    done.push(database.close)
    return database
  },
  postgres: async () => (await place())(),
}

describe.each(['pglite', 'postgres'] as const)('on %s', carrier => {
  test.skipIf(carrier === 'postgres' && missing)(
    `a database that recorded hashes gets their names, and only what it lacks is applied ${missing}`,
    async () => {
      const database = await openEmpty[carrier]()
      const names = await namesIn(migrationsFolder)
      await asBefore(database, names.slice(0, 10))
      const old = await askIn(database, 'select at::text from migrations limit 1')

      const told = listening()
      await migrate(database, told)
      expect(told.applied()).toEqual(names.slice(10))
      expect(await recorded(database)).toEqual(names)
      expect(
        await askIn(database, `select at::text from migrations where name = '${names[0]}'`),
        'when it was applied stays',
      ).toEqual(old)

      const again = listening()
      await migrate(database, again)
      expect(again.applied(), 'nothing runs twice').toEqual([])
    },
  )

  test.skipIf(carrier === 'postgres' && missing)(
    `a migration that fails in the middle is named, those before it stand, and nothing of it does ${missing}`,
    async () => {
      const database = await openEmpty[carrier]()
      await migrate(database)
      const names = await namesIn(migrationsFolder)
      const { folder, write } = await newer()
      await write('9001_good', 'create table good (id int)')
      await write('9002_bad', 'create table half (id int);--> statement-breakpoint\nselect 1 / 0;')
      await write('9003_next', 'create table next (id int)')
      const told = listening()

      await expect(migrate(database, { folder, ...told })).rejects.toThrow(
        /^migration 9002_bad failed: division by zero$/,
      )
      expect(told.applied()).toEqual(['9001_good'])
      expect(await recorded(database)).toEqual([...names, '9001_good'])
      expect(await tablesOf(database, 'good', 'half', 'next')).toEqual(['good'])

      await write('9002_bad', 'create table half (id int)')
      await migrate(database, { folder })
      expect(await tablesOf(database, 'good', 'half', 'next')).toEqual(['good', 'half', 'next'])
    },
  )

  test.skipIf(carrier === 'postgres' && missing)(
    `a recorded hash that belongs to no text is refused before anything runs ${missing}`,
    async () => {
      const database = await openEmpty[carrier]()
      const strange = 'ab'.repeat(32)
      await database.script(
        `create table migrations (name text primary key, at timestamptz not null default now());
         insert into migrations (name) values ('${strange}')`,
      )
      await expect(migrate(database)).rejects.toThrow(strange)
      expect(await tablesOf(database, 'companies')).toEqual([])
    },
  )
})

/** The migrations as they were recorded before names were: one transaction, the hash of each text. */
async function asBefore(database: Database, names: string[]) {
  const texts = await Promise.all(names.map(name => readFile(join(migrationsFolder, `${name}.sql`), 'utf8')))
  await database.transaction('', async tx => {
    await tx.execute(
      sql`create table migrations (name text primary key, at timestamptz not null default now())`,
    )
    for (const text of texts) {
      for (const statement of text.split('--> statement-breakpoint')) await tx.execute(sql.raw(statement))
      const hash = createHash('sha256').update(text).digest('hex')
      await tx.execute(sql`insert into migrations (name, at) values (${hash}, '2026-01-02 03:04:05Z')`)
    }
  })
}

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
  const lines: { migration?: string }[] = []
  const log = createLog({ logLevel: 'debug' }, { write: line => lines.push(JSON.parse(line)) })
  return { log, applied: () => lines.map(({ migration }) => migration) }
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

test.skipIf(missing)(
  `who starts on a database that is up to date is in nobody's way ${missing}`,
  async () => {
    const open = await place()
    const [atWork, starting] = [open(), open()]
    await migrate(atWork)
    await atWork.transaction('', async tx => {
      for (const table of ['tickets', 'companies', 'contacts'])
        await tx.execute(sql.raw(`lock table ${table} in row exclusive mode`))
      await migrate(starting)
    })
  },
)

test.skipIf(missing)(
  `four that start at once on an empty database all find it whole ${missing}`,
  async () => {
    const open = await place()
    const four = [open(), open(), open(), open()]
    const told = listening()
    await Promise.all(four.map(database => migrate(database, told)))
    expect(told.applied().toSorted(), 'each once').toEqual(await namesIn(migrationsFolder))
    const [found] = await askIn(
      four[0]!,
      `select count(*)::int as walls from pg_policy where polname = 'own_company'`,
    )
    expect(found!.walls).toBeGreaterThan(20)
  },
)
