import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Repeated, repeat } from '../work/repeat.ts'
import type { Database, Sql } from './db.ts'
import { rowsFrom, sql } from './sql.ts'

/** An index of a long table that no migration builds, since a start would wait for it. Statements work without it. */
export interface LateIndex {
  kind: 'lateIndex'
  table: string
  name: string
  /** After `create index concurrently NAME on TABLE`. */
  definition: string
  /** The index that it replaces, removed once it is built; empty for none. */
  replaces: string
}

/** What this process builds: the connection that does, while one does. */
interface Building {
  isStopped: boolean
  pid: number | null
}

const LOOK_MS = 60_000

/** Builds missing indexes, one after the other, while others read and write. `stop` ends what is being built. */
export function buildLateIndexes(database: Database, indexes: LateIndex[], log: Logger): Repeated {
  const own: Building = { isStopped: false, pid: null }
  const building = repeat(
    LOOK_MS,
    async () => {
      for (const index of indexes)
        if (!own.isStopped)
          await build(database, index, own, log).catch(error => {
            // it was ended by `stop`
            if (!own.isStopped) throw error
          })
    },
    log,
  )
  building.now()
  return {
    now: building.now,
    async stop() {
      own.isStopped = true
      const ended = building.stop().then(() => true)
      while (!(await Promise.race([ended, pause(SOON_MS, false)])))
        if (own.pid !== null) await cancel(database, own.pid)
    },
  }
}

const SOON_MS = 200

/**
 * One process builds an index, under a lock of its session; the others look again later. What was interrupted stays as an
 * invalid index, which is removed and built again: the old index goes only once the new one is valid.
 */
async function build(database: Database, index: LateIndex, own: Building, log: Logger): Promise<void> {
  // almost always: without a connection to itself
  if (isDone(await database.read('', sql => stateOf(sql, index)))) return
  await database.session(async session => {
    const { table, name, definition, replaces } = index
    own.pid = await lockFor(session, index)
    if (own.pid === null) return
    try {
      const state = await stateOf(session, index)
      const { isValid, isThere } = state
      if (own.isStopped || state.isBeingBuilt || isDone(state)) return
      if (!isValid) {
        log.info({ index: name }, 'an index is being built beside the work: it may take minutes')
        if (isThere) await session.execute(`drop index concurrently if exists ${name}`)
        if (own.isStopped) return
        await session.execute(`create index concurrently if not exists ${name} on ${table} ${definition}`)
        if (own.isStopped || !(await stateOf(session, index)).isValid) return
      }
      if (replaces) await session.execute(`drop index concurrently if exists ${replaces}`)
      log.info({ index: name }, 'an index was built')
    } finally {
      own.pid = null
    }
  })
}

const isDone = ({ isValid, isReplaced }: State) => isValid && isReplaced

type State = Record<'isThere' | 'isValid' | 'isReplaced' | 'isBeingBuilt', boolean>

/** The process of the session, if it got the lock, which it has until it ends. */
async function lockFor(session: Sql, { name }: LateIndex) {
  const [row] = await rowsFrom<{ pid: number; isMine: boolean }>(
    session,
    sql`select pg_backend_pid() as pid, pg_try_advisory_lock(hashtextextended(${`late index ${name}`}, 0)) as "isMine"`,
  )
  return row!.isMine ? row!.pid : null
}

/** Also one that is built by hand, or by an earlier version, is waited for. */
async function stateOf(session: Sql, { table, name, replaces }: LateIndex): Promise<State> {
  const [row] = await rowsFrom<State>(
    session,
    sql`select to_regclass(${name}) is not null as "isThere",
      exists (select from pg_index where indexrelid = to_regclass(${name}) and indisvalid) as "isValid",
      to_regclass(nullif(${replaces}, '')) is null as "isReplaced",
      exists (select from pg_stat_progress_create_index
        where datname = current_database() and relid = to_regclass(${table})) as "isBeingBuilt"`,
  )
  return row!
}

const cancel = (database: Database, pid: number) =>
  database.transaction('', tx => tx.execute(sql`select pg_cancel_backend(${pid}::int)`))
