import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Repeated, repeat } from '../work/repeat.ts'
import type { Database } from './db.ts'
import { rowsFrom, sql } from './sql.ts'

/** An index of a long table that no migration builds, since a start would wait for it. Statements work without it. */
export interface LateIndex {
  kind: 'lateIndex'
  table: string
  name: string
  /** After `create index concurrently NAME on TABLE`. */
  definition: string
  /** The index that it replaces, removed once it is built. */
  replaces: string
}

const LOOK_MS = 60_000

/** Builds missing indexes, one after the other, while others read and write. `stop` ends what is being built. */
export function buildLateIndexes(database: Database, indexes: LateIndex[], log: Logger): Repeated {
  let isStopped = false
  let current: LateIndex | null = null
  const building = repeat(
    LOOK_MS,
    async () => {
      for (current of indexes)
        if (!isStopped)
          await build(database, current, log).catch(error => {
            // it was ended by `stop`
            if (!isStopped) throw error
          })
      current = null
    },
    log,
  )
  building.now()
  return {
    now: building.now,
    async stop() {
      isStopped = true
      const ended = building.stop().then(() => true)
      while (!(await Promise.race([ended, pause(SOON_MS, false)])))
        if (current) await cancel(database, current)
    },
  }
}

const SOON_MS = 200

/** What was interrupted stays as an invalid index, which is removed and built again. */
async function build(database: Database, index: LateIndex, log: Logger) {
  const { table, name, definition, replaces } = index
  const { isValid, isThere, isReplaced, isBeingBuilt } = await stateOf(database, index)
  if (isBeingBuilt || (isValid && isReplaced)) return
  if (!isValid) {
    log.info({ index: name }, 'an index is being built beside the work: it may take minutes')
    if (isThere) await database.script(`drop index concurrently if exists ${name}`)
    await database.script(`create index concurrently if not exists ${name} on ${table} ${definition}`)
  }
  await database.script(`drop index concurrently if exists ${replaces}`)
  log.info({ index: name }, 'an index was built')
}

const stateOf = (database: Database, { table, name, replaces }: LateIndex) =>
  database.transaction('', async tx => {
    const [row] = await rowsFrom<Record<'isThere' | 'isValid' | 'isReplaced' | 'isBeingBuilt', boolean>>(
      tx,
      sql`select to_regclass(${name}) is not null as "isThere",
        exists (select from pg_index where indexrelid = to_regclass(${name}) and indisvalid) as "isValid",
        to_regclass(${replaces}) is null as "isReplaced",
        exists (select from pg_stat_progress_create_index where relid = to_regclass(${table})) as "isBeingBuilt"`,
    )
    return row!
  })

const cancel = (database: Database, { table }: LateIndex) =>
  database.transaction('', tx =>
    tx.execute(
      sql`select pg_cancel_backend(pid) from pg_stat_progress_create_index where relid = to_regclass(${table})`,
    ),
  )
