import { cut } from '@balcao/contract/cut.rules.ts'
import type pg from 'pg'
import { areSpansWanted, spanned } from '../observe/spans.ts'
import { postgresClient, postgresPool } from '../outbound/postgres.client.ts'
import { connectionTo } from '../outbound/postgres.hosts.ts'
import { type Run, type Sql, sqlOver } from './drizzle/session.ts'
import { endTheForgotten } from './pg/alive.ts'
import { cork } from './pg/cork.ts'
import { keepEnding, withEnding } from './pg/endings.ts'
import { statementNames } from './pg/names.ts'
import { serverTypes } from './pg/types.ts'
import { untilCommitted } from './tries.ts'
import { PLATFORM_WORK, Turns } from './turns.ts'

export { allEnded, type Sql, sessionOfLane, together } from './drizzle/session.ts'

/**
 * The database: a PostgreSQL server elsewhere, or the one in DATA_DIR (embedded/). Features reach it through a scope
 * (scope.ts), never directly. This folder has transactions on shared connections (db.ts, turns.ts), Drizzle on them
 * (drizzle/, prepared.ts, sql.ts, columns.ts), migrations, and workarounds of the driver (pg/). Without `turns.ts` one
 * company's load would keep others from the database.
 */
export interface Database {
  /**
   * Runs `work` in one transaction that starts with the statements of `opening` (plain SQL, no parameters). It runs again
   * after a deadlock, or when the database ended it as idle: what it does outside the transaction is not undone.
   */
  transaction<T>(opening: string, work: (sql: Sql) => Promise<T>, how?: How): Promise<T>
  /**
   * Statements that cannot write. Those that are sent together are a transaction of their own, which starts with `opening`;
   * the result does not wait for its commit. Two that are not sent together may see different rows.
   */
  read<T>(opening: string, work: (sql: Sql) => Promise<T>, how?: How): Promise<T>
  /** The moment of what `behind` reads; null where the primary answers that. */
  asOf(): Date | null
  /** One transaction that cannot write: all its statements see the rows of the same moment. */
  snapshot<T>(opening: string, work: (sql: Sql) => Promise<T>, how?: How): Promise<T>
  /** Several statements at once, outside any transaction of ours: migrations and maintenance. */
  script(statements: string): Promise<void>
  /** A connection to itself, outside any transaction and without a limit of time; its locks end with the work. */
  session<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** The server's clock, in milliseconds since 1970. */
  time(): Promise<number>
  /** How many statements the features have run; transaction control is not counted. */
  statements(): number
  /** How often a transaction lost its connection, or got none: whether it was committed is unknown. */
  losses(): number
  /** Connections: open ones, those of them without work, and how many wait for one. */
  pool(): { open: number; idle: number; waiting: number }
  /**
   * The same database without the pooler before it; itself where there is none. For migrations and what a session keeps
   * beyond a transaction: settings, locks, LISTEN.
   */
  direct: Database
  /** For what reads over a connection of its own: without a pooler. */
  url: string
  /** A connection to the server itself that is not opened yet: its session is that of the caller until `end`. */
  directClient(): pg.Client
  /** How pg-boss opens connections of its own. */
  jobs: pg.PoolConfig
  close(): Promise<void>
}

export interface How {
  /** Companies share the connections: whose turn it uses. By default that of the platform. */
  company?: number
  /** It reads short pieces of long tables: the planner uses an index, also of a table that looks empty. */
  listing?: boolean
  /** Its statements differ in their values only: planned once per connection, not once per value. */
  planned?: boolean
  /** It completes work that was accepted already: it precedes the company's calls, and is never refused. */
  promised?: boolean
  /** It may be some seconds old: a copy of the database answers it, where there is one (replica.ts). */
  behind?: boolean
  /** Not awaited by a request: a statement may run for minutes, where requests are answered within seconds or refused. */
  patient?: boolean
}

type Turn = Required<Pick<How, 'company' | 'promised'>>

/** A request that gets no connection for this long is answered "unavailable" instead of waiting for ever. */
const WAIT_MS = 10_000
/**
 * A frozen process keeps its locks at most this long per transaction. Of several, each waiting for the one before, the
 * later ones are ended sooner by whoever claims a connection of that process (connections.leases.queries.ts).
 */
const STALLED_MS = 3_000
/** The limit of a statement that a request awaits, and of one of the platform's own work. */
const STATEMENT_MS = 15_000
const PATIENT = `set local statement_timeout = ${10 * 60_000};`
/** How an administrative transaction begins: its statements take as long as they take, and a slow machine prepares the next one. */
export const UNHURRIED =
  'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 600000'
/**
 * A plan is made once a connection. One made while a table was empty would read all of it until it is analysed,
 * and there is an index for every list (009).
 */
const LISTING = ';set local enable_seqscan = off'
/** Planning such a statement anew takes longer than answering it (009). */
const PLANNED = ';set local plan_cache_mode = force_generic_plan'

const SNAPSHOT = 'begin isolation level repeatable read read only'

/** Connections beyond those that companies share: health checks work while the database is busy. */
const SPARE = 2
/** The job store has a pool of its own; it is woken instead of polling (jobs.ts). */
const FOR_JOBS = 2

/** How many of a process's connections the companies share. */
export const sharedOf = (connections: number) => connections - SPARE - FOR_JOBS

/** One connection, and how the transaction that has it begins and ends what it asks. */
interface Line {
  sql: Sql
  open(): void
  close(): void
}

export interface Opening {
  waitMs?: number
  silentMs?: number
  /** The address of the server itself, where `url` is that of a pooler (pooler.ts). */
  directUrl?: string | null
}

/** Connections to the server itself, beside a pooler: one for what keeps its session, one for a migration. */
const DIRECT = 2

/** Opens no connection before one is needed. Statements are named, so that the server plans each text once a connection. */
export function openDatabase(
  url: string,
  poolSize = 10,
  { waitMs = WAIT_MS, silentMs, directUrl = null }: Opening = {},
): Database {
  const isPooled = directUrl !== null
  const { name, watch } = endTheForgotten(url, { silentMs, isPooled })
  const pool = openPool({ url, name, max: poolSize + SPARE, waitMs, isPooled })
  const unwatch = watch(pool)
  const shared = new SharedConnections(pool, poolSize)
  const direct = isPooled ? openDatabase(directUrl, DIRECT, { waitMs, silentMs }) : null
  const database: Database = {
    ...transactionsOn(shared, isPooled),
    ...(direct ? { script: direct.script, session: direct.session } : sessionsOn(pool)),
    ping: async () => void (await pool.query('select 1')),
    async time() {
      const { rows } = await pool.query<{ at: number }>(
        'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
      )
      return rows[0]!.at
    },
    statements: () => shared.statements,
    losses: () => shared.losses,
    pool: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + shared.waiting(),
    }),
    asOf: () => null,
    get direct() {
      return direct ?? database
    },
    url: directUrl ?? url,
    directClient: () => postgresClient({ connectionString: directUrl ?? url }),
    jobs: jobsAt(url),
    async close() {
      unwatch()
      await Promise.all([pool.end(), direct?.close()])
    },
  }
  return database
}

/** A session of a pooler keeps nothing beyond a transaction: each begins with all settings. */
function transactionsOn(
  shared: SharedConnections,
  isPooled: boolean,
): Pick<Database, 'transaction' | 'snapshot' | 'read'> {
  const always = isPooled
    ? SETTINGS.map(([setting, value]) => `set local ${setting} = ${value};`).join('')
    : ''
  const begin = (how: string, opening: string, given?: How) => `${how};${always}${settingsOf(opening, given)}`
  return {
    transaction: (opening, work, how) =>
      inOneTransaction(shared, begin('begin', opening, how), work, turnOf(how)),
    snapshot: (opening, work, how) =>
      inOneTransaction(shared, begin(SNAPSHOT, opening, how), work, turnOf(how)),
    read: (opening, work, how) => inPieces(shared, begin('begin read only', opening, how), work, turnOf(how)),
  }
}

const sessionsOn = (pool: pg.Pool): Pick<Database, 'script' | 'session'> => ({
  script: statements => inOwnSession(pool, async client => void (await client.query(statements))),
  session: work =>
    inOwnSession(pool, client =>
      work(
        sqlOver((text, values, rowMode) =>
          client.query({ text, values, types: serverTypes, ...(rowMode === 'array' && { rowMode }) }),
        ),
      ),
    ),
})

/** A job's statements are short: one that is not answered in this time is sent over another connection. */
const jobsAt = (url: string) => ({
  ...connectionTo(url),
  keepAlive: true,
  connectionTimeoutMillis: WAIT_MS,
  query_timeout: 30_000,
  max: FOR_JOBS,
})

/** Of every session; through a pooler of every transaction. */
const SETTINGS = [
  ['timezone', 'UTC'],
  ['jit', 'off'],
  ['statement_timeout', STATEMENT_MS],
  ['idle_in_transaction_session_timeout', STALLED_MS],
] as const

interface Pool {
  url: string
  name: string
  max: number
  waitMs: number
  isPooled: boolean
}

function openPool({ url, name, max, waitMs, isPooled }: Pool) {
  const pool = postgresPool({
    url,
    max,
    application_name: name,
    connectionTimeoutMillis: waitMs,
    pipeline: true,
    // a pooler refuses those that it does not know
    ...(!isPooled && { options: SETTINGS.map(([setting, value]) => `-c ${setting}=${value}`).join(' ') }),
  })
  pool.on('error', () => {}) // an idle connection broke: the next query opens another and reports
  // One that breaks while it is in use fails its query; without a listener it would also end the process.
  pool.on('connect', keepEnding)
  return pool
}

/** The connections that companies share, in turns, with what was made once for each of them. */
class SharedConnections {
  statements = 0
  losses = 0
  readonly #pool: pg.Pool
  readonly #turns: Turns
  readonly #lines = new WeakMap<pg.PoolClient, Line>()
  readonly #nameOf = statementNames()

  constructor(pool: pg.Pool, size: number) {
    this.#pool = pool
    this.#turns = new Turns(size)
  }

  /** Throws when the company's turn does not come in time, or no connection opens. */
  async connect({ company, promised }: Turn) {
    const slot = await this.#turns.acquire(company, promised)
    try {
      const client = await this.#pool.connect()
      return { client, line: this.#lineOf(client), leave: () => this.#turns.release(slot) }
    } catch (error) {
      this.losses++
      this.#turns.release(slot)
      throw error
    }
  }

  waiting = () => this.#turns.waiting()

  #lineOf(client: pg.PoolClient): Line {
    const known = this.#lines.get(client)
    if (known) return known
    const run: Run = (text, values, rowMode) => {
      this.statements++
      const name = values.length > 0 ? this.#nameOf(text) : undefined
      line.open()
      cork(client)
      const query = { text, values, name, types: serverTypes, ...(rowMode === 'array' && { rowMode }) }
      if (!areSpansWanted()) return client.query(query)
      return spanned(spanOfStatement(text), () => client.query(query))
    }
    const line = { sql: sqlOver(run), open() {}, close() {} }
    this.#lines.set(client, line)
    return line
  }
}

/** Values are not part of it: they are people's. */
const spanOfStatement = (text: string) => ({
  kind: 'statement' as const,
  name: [/^\s*(\w+)/, /\b(?:from|into|update)\s+"?(\w+)/i]
    .map(part => part.exec(text)?.[1]?.toLowerCase() ?? '')
    .join(' ')
    .trim(),
  facts: { 'db.system.name': 'postgresql', 'db.query.text': cut(text, 4_000) },
})

async function inOwnSession<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    return await work(client)
  } finally {
    // its settings and locks go with it
    client.release(true)
  }
}

const settingsOf = (opening: string, { listing, planned, patient }: How = {}) =>
  `${patient ? PATIENT : ''}${opening}${listing ? LISTING : ''}${planned ? PLANNED : ''}`

const turnOf = ({ company = PLATFORM_WORK, promised = false }: How = {}): Turn => ({ company, promised })

/**
 * Statements that are sent together are a transaction of their own, and its commit is sent with them: one packet, and the
 * server process is free for the next caller.
 */
const inPieces = <T>(...given: Parameters<typeof inPiecesOnce<T>>) =>
  untilCommitted(() => inPiecesOnce(...given))

async function inPiecesOnce<T>(
  shared: SharedConnections,
  begin: string,
  work: (sql: Sql) => Promise<T>,
  turn: Turn,
): Promise<T> {
  const { client, line, leave } = await shared.connect(turn)
  let isOpen = false
  line.close = () => {
    if (isOpen) client.query('commit').catch(() => shared.losses++)
    isOpen = false
  }
  line.open = () => {
    if (isOpen) return
    isOpen = true
    process.nextTick(line.close)
    cork(client)
    client.query(begin).catch(() => {})
  }
  try {
    return await work(line.sql)
  } finally {
    line.close()
    client.release()
    leave()
  }
}

const inOneTransaction = <T>(...given: Parameters<typeof inOneTransactionOnce<T>>) =>
  untilCommitted(() => inOneTransactionOnce(...given))

async function inOneTransactionOnce<T>(
  shared: SharedConnections,
  begin: string,
  work: (sql: Sql) => Promise<T>,
  turn: Turn,
): Promise<T> {
  const { client, line, leave } = await shared.connect(turn)
  const end = async (word: 'commit' | 'rollback') => {
    try {
      const { command } = await client.query(word)
      client.release()
      return command === word.toUpperCase()
    } catch (error) {
      shared.losses++
      client.release(error as Error)
      throw withEnding(client, error)
    } finally {
      leave()
    }
  }
  let result: T
  try {
    line.open = () => {}
    cork(client)
    // Not awaited: the next statement is sent with it, and fails when it failed.
    client.query(begin).catch(() => {})
    result = await work(line.sql)
  } catch (error) {
    await end('rollback').catch(() => {})
    throw withEnding(client, error)
  }
  if (!(await end('commit'))) throw new Error('a statement of the transaction failed: nothing was kept')
  return result
}
