import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, openDatabase, type Sql } from '../apps/server/src/platform/postgres/db.ts'
import { visitEmbedded } from '../apps/server/src/platform/postgres/embedded/embedded.ts'
import { migrate } from '../apps/server/src/platform/postgres/migrate.ts'
import { rowsFrom, sql as tag } from '../apps/server/src/platform/postgres/sql.ts'
import { datasetScript, type Size } from './dataset.ts'

/** Location of the data set: a separate database on a server, or a folder for the embedded one. */
export interface Place {
  name: string
  /** What the product is started with. */
  env: Record<string, string>
  /** Opens it from here, beside the product. */
  query<Row>(sql: string): Promise<Row[]>
  /** The same for what the product itself does. */
  within<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Does what the database does by itself within a minute of many changes. */
  sweep(table: string): Promise<void>
  /** Fills it, unless it is kept from an earlier run of the same size. Answers the seconds it took, 0 when kept. */
  fill(size: Size): Promise<number>
  remove(): Promise<void>
}

/** Two who measure on one server need a name each. */
const NAME = process.env.BENCH_DATABASE_NAME ?? 'balcao_bench'

export const serverUrl = () =>
  process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/'

/** A database on the PostgreSQL server at `url`; throws when it does not answer. */
export async function onServer(url: string): Promise<Place> {
  const own = new URL(url)
  own.pathname = `/${NAME}`
  const onMain = async <Row>(sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(sql)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  const [version] = await onMain<{ server_version: string }>('show server_version')
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-'))
  const using = sharing(async () => openDatabase(own.href, 2))
  const exists = async () => (await onMain(`select from pg_database where datname = '${NAME}'`)).length > 0
  const drop = () => onMain(`drop database if exists ${NAME} with (force)`)
  return {
    name: `PostgreSQL ${version?.server_version}`,
    env: { DATABASE_URL: own.href, JWT_SECRET: SECRET, DATA_DIR: dataDir },
    query: sql => using(database => rows(database, sql)),
    within: work => using(database => database.transaction('', work, { patient: true })),
    sweep: table => using(database => database.script(`vacuum analyze ${table}`)),
    async fill(size) {
      if ((await exists()) && (await using(database => holds(database, size)))) return 0
      await drop()
      await onMain(`create database ${NAME}`)
      return using(database => fill(database, size))
    },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true })
      if (!keep()) await drop()
    },
  }
}

/** A folder for the embedded database. */
export function inFolder(): Place {
  const dataDir = join(tmpdir(), 'balcao-bench-embedded')
  if (!keep()) rmSync(dataDir, { recursive: true, force: true })
  const using = sharing(async () => {
    const { url, close } = await visitEmbedded(dataDir, { make: true })
    const database = openDatabase(url, 2)
    return {
      ...database,
      async close() {
        await database.close()
        await close()
      },
    }
  })
  return {
    name: 'embedded PostgreSQL',
    // filled without the product, which refuses a database whose secret is gone
    env: { DATA_DIR: dataDir, JWT_SECRET: SECRET },
    query: sql => using(database => rows(database, sql)),
    within: work => using(database => database.transaction('', work, { patient: true })),
    sweep: table => using(database => database.script(`vacuum analyze ${table}`)),
    async fill(size) {
      if (existsSync(dataDir) && (await using(database => holds(database, size)))) return 0
      rmSync(dataDir, { recursive: true, force: true })
      return using(database => fill(database, size))
    },
    async remove() {
      if (!keep()) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Of all runs: a data set that is kept is refused under another one. */
export const SECRET = 'gCc8-6xbX32O87CPR6oPGPdpon9PDCgy9LfTiGVCH6Q'

const keep = () => process.argv.includes('--keep')

/** Opens for one piece of work and closes again. */
const sharing =
  (open: () => Promise<Database>) =>
  async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await open()
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }

async function fill(database: Database, size: Size) {
  const start = performance.now()
  await migrate(database)
  await database.script(await datasetScript(size))
  await database.script(
    `create table bench (size text); insert into bench values ('${JSON.stringify(size)}')`,
  )
  await database.script('vacuum analyze')
  return (performance.now() - start) / 1000
}

async function holds(database: Database, size: Size) {
  const known = await rows<{ size: string }>(database, 'select size from bench').catch(() => [])
  return known[0]?.size === JSON.stringify(size)
}

const rows = <Row>(database: Database, sql: string) =>
  database.transaction('', tx => rowsFrom<Row>(tx, tag.raw(sql)))
