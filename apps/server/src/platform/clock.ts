import type { Database } from './postgres/db.ts'

/**
 * The clock of the installation is the database's. Rows are written and judged by it alone: here, or by `now()` and
 * `clock_timestamp()` in SQL. The clock of a process may be set, or differ by minutes, and is not asked
 * (bin/rules/clocks.ts). How long something takes or may take is measured with `performance.now()`, which is never set.
 */

/** The database's clock is read again this often (ms): a monotonic clock deviates from it by 5 ms in this time at most. */
const READ_MS = 10_000

/** The database's clock less `performance.now()`, in ms; until it was read once, as this machine has it. */
let offset = Date.now() - performance.now()

/** Milliseconds since 1970. */
export const databaseNow = (): number => Math.floor(performance.now() + offset)
export const databaseDate = (): Date => new Date(databaseNow())
/** As rows are written. */
export const databaseTime = (): string => databaseDate().toISOString()

/** The end of the year 9999: what is later is no time. */
export const LAST_MS = 253_402_300_799_999
export const LAST_SECOND = Math.floor(LAST_MS / 1_000)

/** How far (ms) the clock of this machine is ahead of the database's; what the answer took is not part of it. */
export async function clockAhead(database: Pick<Database, 'time'>): Promise<number> {
  const asked = Date.now()
  const time = await database.time()
  const answered = Date.now()
  return time < asked ? asked - time : Math.min(0, answered - time)
}

/** Reads the database's clock every ten seconds; answers a function that stops. */
export function followDatabaseClock(database: Pick<Database, 'time'>): () => void {
  // while the database is away the last reading holds
  const timer = setInterval(() => readDatabaseClock(database).catch(() => {}), READ_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Reads the database's clock; throws when the database does not answer.
 * The answer was read between the moment of asking and that of its arrival. A clock that agrees with both is kept, so
 * that a slow answer moves nothing.
 */
export async function readDatabaseClock(database: Pick<Database, 'time'>): Promise<void> {
  const asked = performance.now()
  const time = await database.time()
  offset = Math.min(Math.max(offset, time - performance.now()), time - asked)
}
