import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'
import { isConnectionFailure } from '../errors.ts'
import type { Database } from '../postgres/db.ts'

/** A server that starts together with this process may be this late. */
const PATIENCE_MS = 30_000

/** Waits until the database answers; throws ConfigError when it refuses, or does not answer for half a minute. */
export const databaseAnswers = (database: Database, url: string, log: Logger) =>
  answers({ variable: 'DATABASE_URL', what: 'database', url, log }, database.ping)

/** The same for Redis. */
export async function redisAnswers(url: string, log: Logger) {
  const { redisClientOnce } = await import('../outbound/redis.client.ts')
  await answers({ variable: 'REDIS_URL', what: 'Redis server', url, log }, async () => {
    const client = redisClientOnce(url)
    client.on('error', () => {}) // the rejection below reports it
    await client.connect()
    await client.ping()
    client.destroy()
  })
}

/** How soon after its return the database is found to be back. */
const LOOK_MS = 1_000

/**
 * Calls `notify` when a database that was lost answers again: what was committed while the answer was lost was announced
 * to no screen, and requests of screens meanwhile failed. Answers a function that stops looking.
 */
export function watchReturns(database: Pick<Database, 'losses' | 'ping'>, notify: () => void): () => void {
  let known = database.losses()
  let asking = false
  const timer = setInterval(async () => {
    const losses = database.losses()
    if (asking || losses === known) return
    asking = true
    const isBack = await database.ping().then(
      () => true,
      () => false,
    )
    asking = false
    if (!isBack) return
    known = losses
    notify()
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

interface Server {
  variable: string
  what: string
  url: string
  log: Logger
}

async function answers({ variable, what, url, log }: Server, ask: () => Promise<unknown>) {
  const place = `${variable}: the ${what} at ${new URL(url).host}`
  const end = performance.now() + PATIENCE_MS
  for (let wait = 500; ; wait = Math.min(wait * 2, 8_000)) {
    const error = await ask().then(
      () => null,
      (failure: Error & { code?: string }) => failure,
    )
    if (!error) return
    const why = error.message || error.code
    if (!isConnectionFailure(error)) throw new ConfigError(`${place} refuses (${why})`)
    const left = end - performance.now()
    if (left <= 0) throw new ConfigError(`${place} does not answer (${why})`)
    const pause = Math.min(wait, left)
    log.warn(`the ${what} does not answer yet, trying again in ${Math.ceil(pause / 1_000)} s (${why})`)
    await new Promise(done => setTimeout(done, pause))
  }
}
