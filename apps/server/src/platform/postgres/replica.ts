import type { Logger } from 'pino'
import { databaseNow } from '../clock.ts'
import { isConnectionFailure, wasEndedForAnother } from '../errors.ts'
import { repeat } from '../work/repeat.ts'
import { type Database, type Opening, openDatabase, type Sql } from './db.ts'
import { isPooled } from './pooler.ts'
import { rowsFrom, sql as tag } from './sql.ts'

/** What copies the primary as a hot standby and answers reads that may be some seconds old. */
export interface Replica {
  /** The moment up to which it has everything; null where it is gone, is no copy, or is further behind than allowed. */
  asOf(): Date | null
  /** `read` of the copy while it is fresh enough, else, or where it breaks, of the primary. */
  read: Database['read']
  close(): Promise<void>
}

interface Given {
  url: string
  /** How far it may be behind (ms). */
  mostMs: number
  /** Connections. */
  size: number
  log: Logger
}

const LOOK_MS = 1_000

/** Where the log of the primary ended, and when. */
interface End {
  position: bigint
  at: number
}

/**
 * The age of a copy is measured against the log of the primary, whose end is noted each second: of an idle primary the
 * newest transaction is old although nothing is missing, and clocks of servers differ.
 */
export function openReplica(primary: Database, { url, mostMs, size, log }: Given): Replica {
  let copy: Database | undefined
  let ends: End[] = []
  let has: number | null = null
  const isFresh = () => has !== null && performance.now() - has <= mostMs

  async function measure() {
    const at = performance.now()
    const now = await primary.read('', one(STATE))
    ends = [...ends.filter(end => at - end.at <= mostMs), { position: positionIn(now.ends), at }]
    copy ??= openDatabase(url, size, await openingOf(url))
    const { system, replayed, copies } = await copy.read('', one(STATE))
    if (!copies || system !== now.system) {
      has = null
      throw new Error(copies ? 'it copies another server' : 'it is no hot standby')
    }
    const position = positionIn(replayed!)
    return ends.findLast(end => end.position <= position)?.at ?? null
  }

  const note = noting(log, mostMs)
  const looking = repeat(
    LOOK_MS,
    async () => {
      let why = ''
      has =
        (await measure().catch((error: Error) => {
          why = error.message
          return null
        })) ?? has
      note(isFresh(), why)
    },
    log,
  )
  looking.now()

  return {
    asOf: () => (isFresh() ? new Date(databaseNow() - (performance.now() - has!)) : null),
    async read(opening, work, how) {
      if (!copy || !isFresh()) return primary.read(opening, work, how)
      try {
        return await copy.read(opening, work, how)
      } catch (error) {
        // also one that the copy ended since what it reads was removed meanwhile
        if (!isConnectionFailure(error) && !wasEndedForAnother(error)) throw error
        if (isConnectionFailure(error)) has = null
        return primary.read(opening, work, how)
      }
    },
    async close() {
      await looking.stop()
      await copy?.close()
    },
  }
}

/** A line of the log where it is used from now on, or not; the first looks only begin to measure. */
function noting(log: Logger, patienceMs: number) {
  const begun = performance.now()
  let isUsed: boolean | undefined
  return (isFresh: boolean, why: string) => {
    if (
      isUsed === isFresh ||
      (isUsed === undefined && !isFresh && !why && performance.now() - begun <= patienceMs)
    )
      return
    isUsed = isFresh
    if (isUsed) log.info('reports, exports and searches read the copy of DATABASE_READ_URL')
    else log.warn({ why }, 'the copy of DATABASE_READ_URL is gone or too far behind: the primary answers')
  }
}

/** A pooler before a copy needs no other address: nothing but reads goes there. */
const openingOf = async (url: string): Promise<Opening> =>
  (await isPooled(url, 'DATABASE_READ_URL')) ? { directUrl: url } : {}

interface State {
  system: string
  copies: boolean
  /** Of a server that accepts writes. */
  ends: string
  /** Of a copy. */
  replayed: string | null
}

const STATE = tag`select system_identifier::text as system, pg_is_in_recovery() as copies,
  case when not pg_is_in_recovery() then pg_current_wal_lsn() end::text as ends,
  pg_last_wal_replay_lsn()::text as replayed from pg_control_system()`

const one = (statement: typeof STATE) => async (sql: Sql) => (await rowsFrom<State>(sql, statement))[0]!

/** `16/B374D848`: two halves in hexadecimal. */
function positionIn(written: string): bigint {
  const [high, low] = written.split('/') as [string, string]
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
