import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { isConnectionFailure } from '../errors.ts'
import { addressesIn } from '../outbound/postgres.hosts.ts'
import type { Database } from '../postgres/db.ts'
import { isPooled, isSameDatabase } from '../postgres/pooler.ts'

/** A server that starts together with this process may be this late. */
const PATIENCE_MS = 30_000

type Addresses = Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>

/**
 * Waits until the server that DATABASE_URL names answers. Answers the address of the server itself where that is a pooler,
 * else null. Throws ConfigError when it refuses, or does not answer for half a minute.
 */
export const databaseAnswers = (addresses: Addresses, log: Logger): Promise<string | null> =>
  serverBehind(addresses, (variable, url) =>
    answers({ variable, what: 'database', url, log }, () => isPooled(url, variable)),
  )

/** The same, asked once: throws as well when a server does not answer. */
export async function serverBehind(
  { databaseUrl, databaseDirectUrl }: Addresses,
  asks: (variable: string, url: string) => Promise<boolean> = (variable, url) => isPooled(url, variable),
): Promise<string | null> {
  if (!(await asks('DATABASE_URL', databaseUrl!))) return null
  if (!databaseDirectUrl)
    throw new ConfigError(
      'DATABASE_DIRECT_URL is required, since DATABASE_URL names a pooler: migrations, indexes of long tables and what a ' +
        'session keeps go to the server itself',
    )
  if (await asks('DATABASE_DIRECT_URL', databaseDirectUrl))
    throw new ConfigError('DATABASE_DIRECT_URL takes the address of the server itself, not of a pooler')
  if (!(await isSameDatabase(databaseUrl!, databaseDirectUrl)))
    throw new ConfigError('DATABASE_DIRECT_URL names another database than DATABASE_URL')
  return databaseDirectUrl
}

/** The same for Redis, which `place` names: with sentinels `url` is a port of this process. */
export async function redisAnswers(url: string, log: Logger, place: string) {
  const { redisClientOnce } = await import('../outbound/redis.client.ts')
  await answers({ variable: 'REDIS_URL', what: 'Redis server', url, place, log }, async () => {
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
  /** Where it is, if that is not in `url`. */
  place?: string
  log: Logger
}

async function answers<T>({ variable, what, url, log, ...at }: Server, ask: () => Promise<T>): Promise<T> {
  const hosts =
    at.place ??
    addressesIn(url)
      .map(one => new URL(one).host)
      .join(', ')
  const place = `${variable}: the ${what} at ${hosts}`
  const end = performance.now() + PATIENCE_MS
  for (let wait = 500; ; wait = Math.min(wait * 2, 8_000)) {
    const asked = await ask().then(
      answer => ({ answer }),
      (error: Error & { code?: string }) => ({ error }),
    )
    if ('answer' in asked) return asked.answer
    const { error } = asked
    if (error instanceof ConfigError) throw error
    const why = error.message || error.code
    if (!isConnectionFailure(error)) throw new ConfigError(`${place} refuses (${why})`)
    const left = end - performance.now()
    if (left <= 0) throw new ConfigError(`${place} does not answer (${why})`)
    const pause = Math.min(wait, left)
    log.warn(`the ${what} does not answer yet, trying again in ${Math.ceil(pause / 1_000)} s (${why})`)
    await new Promise(done => setTimeout(done, pause))
  }
}
