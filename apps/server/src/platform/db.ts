import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import type { Logger } from 'drizzle-orm/logger'
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import pg from 'pg'
import { fromPglite } from 'pg-boss'

/** What queries are written against: Drizzle on an open transaction of either driver. */
export type Sql = PgDatabase<PgQueryResultHKT, Record<string, never>>

/** One SQL dialect, two carriers: a PostgreSQL server, or PostgreSQL inside this process. */
export interface Database {
  kind: 'postgres' | 'pglite'
  /** Runs `work` in one transaction that starts with the statements of `opening` (plain SQL, no parameters). */
  transaction<T>(opening: string, work: (sql: Sql) => Promise<T>): Promise<T>
  /** Several statements at once, outside any transaction of ours: migrations and maintenance. */
  script(statements: string): Promise<void>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** How many statements the features have run; transaction control is not counted. */
  statements(): number
  /** What pg-boss runs on: null lets it open connections of its own. */
  jobs: { connectionString: string } | { db: ReturnType<typeof fromPglite> }
  close(): Promise<void>
}

export async function openDatabase(at: { url: string | null; dataDir: string }): Promise<Database> {
  return at.url ? overServer(at.url) : overLite(await openLite({ dataDir: `${at.dataDir}/db` }))
}

/** A request that gets no connection for this long is answered "unavailable" instead of waiting for ever. */
const WAIT_MS = 10_000
/**
 * A frozen process must not keep its locks longer than this. Two of its transactions may stand in line, one behind the
 * other, and both must be gone within a lease (9 s), or nobody could take its connections.
 */
const STALLED_MS = 4_000

/** A PostgreSQL server. Statements are named, so that the server plans each text once a connection. */
export function overServer(url: string, poolSize = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: WAIT_MS,
    keepAlive: true,
    options: `-c timezone=UTC -c idle_in_transaction_session_timeout=${STALLED_MS}`,
  })
  pool.on('error', () => {}) // an idle connection broke: the next query opens another and reports
  // One that breaks while it is in use fails its query; without a listener it would also end the process.
  pool.on('connect', client => client.on('error', () => {}))
  const counter = countStatements()
  const bound = new WeakMap<pg.PoolClient, Sql>()
  const bind = (client: pg.PoolClient) => {
    const known = bound.get(client)
    if (known) return known
    const made = overPostgres(named(client), { logger: counter }) as unknown as Sql
    bound.set(client, made)
    return made
  }

  async function transaction<T>(opening: string, work: (sql: Sql) => Promise<T>) {
    const client = await pool.connect()
    let broken: unknown
    try {
      await client.query(`begin;${opening}`)
      const result = await work(bind(client))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(lost => {
        broken = lost
      })
      throw error
    } finally {
      client.release(broken instanceof Error ? broken : undefined)
    }
  }

  return {
    kind: 'postgres',
    transaction,
    script: async statements => void (await pool.query(statements)),
    ping: async () => void (await pool.query('select 1')),
    statements: counter.count,
    jobs: { connectionString: url },
    close: () => pool.end(),
  }
}

/** The embedded database; `options` may name a folder, or a dump to begin with. */
export async function openLite(options: PGliteOptions = {}): Promise<PGlite> {
  const lite = await PGlite.create({ ...options, extensions: { btree_gin, pg_trgm, unaccent } })
  await lite.exec("set timezone = 'UTC'")
  return lite
}

/** PostgreSQL in this process. It has one connection: transactions queue, so nothing slow may happen inside one. */
export function overLite(lite: PGlite): Database {
  const counter = countStatements()
  let inside: Transaction
  const current = { query: (...given: Parameters<Transaction['query']>) => inside.query(...given) }
  const bound = overPglite(current as unknown as PGlite, { logger: counter }) as unknown as Sql
  return {
    kind: 'pglite',
    transaction: (opening, work) =>
      lite.transaction(async tx => {
        inside = tx
        await tx.exec(opening)
        return work(bound)
      }) as ReturnType<typeof work>,
    script: async statements => void (await lite.exec(statements)),
    ping: async () => void (await lite.query('select 1')),
    statements: counter.count,
    jobs: { db: fromPglite(lite) },
    close: () => lite.close(),
  }
}

/**
 * A statement that is the same every time but for its placeholders: its text is made once a connection instead of
 * on every call, which is most of what a small query costs here.
 */
export function prepared<Row>(
  make: (sql: Sql) => { prepare(name: string): { execute(values?: Record<string, unknown>): Promise<Row> } },
): (sql: Sql, values: Record<string, unknown>) => Promise<Row> {
  const made = new WeakMap<Sql, ReturnType<ReturnType<typeof make>['prepare']>>()
  return (sql, values) => {
    const known = made.get(sql) ?? make(sql).prepare('')
    made.set(sql, known)
    return known.execute(values)
  }
}

function countStatements(): Logger & { count(): number } {
  let statements = 0
  return {
    logQuery: () => {
      statements++
    },
    count: () => statements,
  }
}

/** Texts are few, since lists travel as arrays; past the limit a text is sent unnamed. */
const NAMED_LIMIT = 1_000
const names = new Map<string, string>()

function named(client: pg.PoolClient): pg.PoolClient {
  const nameOf = (text: string) => {
    const known = names.get(text)
    if (known || names.size >= NAMED_LIMIT) return known
    const name = `b${names.size}`
    names.set(text, name)
    return name
  }
  const query = (config: pg.QueryConfig, values: unknown[] = []) =>
    client.query(values.length > 0 ? { ...config, name: nameOf(config.text) } : config, values)
  return { query } as unknown as pg.PoolClient
}
