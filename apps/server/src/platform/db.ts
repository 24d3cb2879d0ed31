import { types as liteTypes, PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import pg from 'pg'
import { fromPglite } from 'pg-boss'
import { NOBODY, Turns } from './db.turns.ts'
import { type Run, type Sql, sqlOver } from './drizzle/session.ts'
import { endTheForgotten } from './pg/alive.ts'
import { cork } from './pg/cork.ts'

export { allEnded, type Sql, together } from './drizzle/session.ts'

/** One SQL dialect, two carriers: a PostgreSQL server, or PostgreSQL inside this process. */
export interface Database {
  kind: 'postgres' | 'pglite'
  /** Runs `work` in one transaction that starts with the statements of `opening` (plain SQL, no parameters). */
  transaction<T>(opening: string, work: (sql: Sql) => Promise<T>, how?: How): Promise<T>
  /** Several statements at once, outside any transaction of ours: migrations and maintenance. */
  script(statements: string): Promise<void>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** How many statements the features have run; transaction control is not counted. */
  statements(): number
  /** How often a transaction lost its connection, or got none: whether it was committed nobody here knows. */
  losses(): number
  /** What pg-boss runs on: null lets it open connections of its own. */
  jobs: pg.PoolConfig | { db: ReturnType<typeof fromPglite> }
  close(): Promise<void>
}

export interface How {
  /** Companies share the database: in whose turn it is. Nobody's unless said. */
  company?: number
  /** It cannot write, and its result does not wait for its end. */
  reading?: boolean
  /** What it asks are short pieces of long tables: the planner takes an index, also of a table that looks empty. */
  listing?: boolean
  /** What it asks is the same each time but for its values: planned once a connection, not for each of them. */
  planned?: boolean
  /** It follows from what the house has taken on already: it stands before the company's calls, and none turns it away. */
  promised?: boolean
  /** Nobody waits for it: a statement may take minutes, where people are answered within seconds or refused. */
  patient?: boolean
}

type Turn = Required<Pick<How, 'company' | 'promised'>>

export async function openDatabase(at: { url: string | null; dataDir: string }): Promise<Database> {
  return at.url ? overServer(at.url) : overLite(await openLite({ dataDir: `${at.dataDir}/db` }))
}

/** A request that gets no connection for this long is answered "unavailable" instead of waiting for ever. */
const WAIT_MS = 10_000
/**
 * A frozen process must not keep its locks longer than this. Two of its transactions may stand in line, one behind the
 * other, and both must be gone within a lease (6 s), or nobody could take its connections.
 */
const STALLED_MS = 3_000
/** A statement that somebody waits for, and one of the house's own work. */
const STATEMENT_MS = 15_000
const PATIENT = `set local statement_timeout = ${10 * 60_000};`
/**
 * A plan is made once a connection. One made while a table was empty would read all of it until somebody analyses it,
 * and there is an index for every list (009).
 */
const LISTING = ';set local enable_seqscan = off'
/** Planning such a statement anew takes longer than answering it (009). */
const PLANNED = ';set local plan_cache_mode = force_generic_plan'

/** Connections beyond those that companies share: whether the database answers is found out while it is busy. */
const SPARE = 2

/** One connection, and how the transaction that has it begins and ends what it asks. */
interface Line {
  sql: Sql
  open(): void
  close(): void
}

/** A PostgreSQL server. Statements are named, so that the server plans each text once a connection. */
export function overServer(url: string, poolSize = 10): Database {
  const { name, watch } = endTheForgotten(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize + SPARE,
    application_name: name,
    connectionTimeoutMillis: WAIT_MS,
    keepAlive: true,
    pipeline: true,
    options: `-c timezone=UTC -c jit=off -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=${STALLED_MS}`,
  })
  const unwatch = watch(pool)
  pool.on('error', () => {}) // an idle connection broke: the next query opens another and reports
  // One that breaks while it is in use fails its query; without a listener it would also end the process.
  pool.on('connect', client => client.on('error', () => {}))
  const turns = new Turns(poolSize)
  let statements = 0
  let losses = 0
  const lines = new WeakMap<pg.PoolClient, Line>()
  const lineOf = (client: pg.PoolClient) => {
    const known = lines.get(client)
    if (known) return known
    const run: Run = (text, values, rowMode) => {
      statements++
      const name = values.length > 0 ? nameOf(text) : undefined
      line.open()
      cork(client)
      return client.query({ text, values, name, types: serverTypes, ...(rowMode === 'array' && { rowMode }) })
    }
    const line = { sql: sqlOver(run), open() {}, close() {} }
    lines.set(client, line)
    return line
  }

  async function connect({ company, promised }: Turn) {
    await turns.take(company, promised)
    try {
      return await pool.connect()
    } catch (error) {
      losses++
      turns.leave(company)
      throw error
    }
  }

  /**
   * What is asked at once is a transaction of its own, and its end leaves with it: one packet there, and the next who
   * comes asks a process that has all of this at hand. Nothing is kept between two questions of a reading anyway.
   */
  async function read<T>(opening: string, work: (sql: Sql) => Promise<T>, turn: Turn) {
    const client = await connect(turn)
    const line = lineOf(client)
    let isOpen = false
    line.close = () => {
      if (isOpen) client.query('commit').catch(() => losses++)
      isOpen = false
    }
    line.open = () => {
      if (isOpen) return
      isOpen = true
      process.nextTick(line.close)
      cork(client)
      client.query(`begin read only;${opening}`).catch(() => {})
    }
    try {
      return await work(line.sql)
    } finally {
      line.close()
      client.release()
      turns.leave(turn.company)
    }
  }

  async function write<T>(opening: string, work: (sql: Sql) => Promise<T>, turn: Turn) {
    const client = await connect(turn)
    const end = async (word: 'commit' | 'rollback') => {
      try {
        const { command } = await client.query(word)
        client.release()
        return command === word.toUpperCase()
      } catch (error) {
        losses++
        client.release(error as Error)
        throw error
      } finally {
        turns.leave(turn.company)
      }
    }
    let result: T
    try {
      const line = Object.assign(lineOf(client), { open() {} })
      cork(client)
      // Nothing waits for it: what is asked next travels with it, and fails when it failed.
      client.query(`begin;${opening}`).catch(() => {})
      result = await work(line.sql)
    } catch (error) {
      await end('rollback').catch(() => {})
      throw error
    }
    if (!(await end('commit'))) throw new Error('a statement of the transaction failed: nothing was kept')
    return result
  }

  function transaction<T>(opening: string, work: (sql: Sql) => Promise<T>, how: How = {}) {
    const { reading = false, listing = false, planned = false, patient = false } = how
    const turn = { company: how.company ?? NOBODY, promised: how.promised ?? false }
    const all = `${patient ? PATIENT : ''}${opening}${listing ? LISTING : ''}${planned ? PLANNED : ''}`
    return reading ? read(all, work, turn) : write(all, work, turn)
  }

  return {
    kind: 'postgres',
    transaction,
    async script(statements) {
      const client = await pool.connect()
      try {
        await client.query('set statement_timeout = 0')
        await client.query(statements)
      } finally {
        // its setting goes with it
        client.release(true)
      }
    },
    ping: async () => void (await pool.query('select 1')),
    statements: () => statements,
    losses: () => losses,
    // Jobs ask one short question after the other: one that is not answered for so long is asked over another line.
    jobs: { connectionString: url, keepAlive: true, query_timeout: 30_000 },
    close() {
      unwatch()
      return pool.end()
    },
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
  const turns = new Turns(1)
  let statements = 0
  let inside: Transaction
  const bound = sqlOver((text, values, rowMode) => {
    statements++
    return inside.query(text, values, { rowMode, parsers: liteParsers })
  })
  return {
    kind: 'pglite',
    async transaction(opening, work, { company = NOBODY, reading = false, promised = false } = {}) {
      await turns.take(company, promised)
      try {
        return await lite.transaction(async tx => {
          inside = tx
          await tx.exec(reading ? `set transaction read only;${opening}` : opening)
          return work(bound)
        })
      } finally {
        turns.leave(company)
      }
    },
    script: async statements => void (await lite.exec(statements)),
    ping: async () => void (await lite.query('select 1')),
    statements: () => statements,
    losses: () => 0,
    jobs: { db: fromPglite(lite) },
    close: () => lite.close(),
  }
}

/** Texts are few, since lists travel as arrays; past the limit a text is sent unnamed. */
const NAMED_LIMIT = 1_000
const names = new Map<string, string>()

function nameOf(text: string) {
  const known = names.get(text)
  if (known || names.size >= NAMED_LIMIT) return known
  const name = `b${names.size}`
  names.set(text, name)
  return name
}

/** Times stay the text that the database writes; columns.ts reads them. */
const asWritten = (value: string) => value
const TIMES = [
  liteTypes.TIMESTAMP,
  liteTypes.TIMESTAMPTZ,
  liteTypes.DATE,
  liteTypes.INTERVAL,
  ...[1115, 1182, 1185, 1187], // arrays of them
]
const liteParsers = Object.fromEntries(TIMES.map(type => [type, asWritten]))
const times = new Set<number>(TIMES)
export const serverTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format: 'text') =>
    times.has(type) ? asWritten : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
}
