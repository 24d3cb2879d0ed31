import type { WithinTools } from './events.ts'
import { perProduct } from './memory.ts'
import { traced } from './observe/trace.ts'
import type { Sql } from './postgres/db.ts'

/** How long (ms) the cache is used without a refresh, should the signal of another process be lost. */
const FRESH_MS = 10_000
/** And how long while one is under way: what an idle process knew before counts no more. */
export const BELIEVED_MS = 20_000
const NEVER = Number.NEGATIVE_INFINITY

interface Cache<Known> {
  companies: Map<number, Known> | null
  at: number
  isLoading: boolean
  /** Rises with every signal: what was read before it is outdated. */
  changes: number
}

/**
 * What is known of the companies that have something, such as webhooks, read in the background: a transaction of a company
 * that has none pays no statement for it. Null while it is not known, as after a signal of the topic.
 */
export function companyCache<Known>(
  topic: string,
  what: string,
  read: (sql: Sql) => Promise<(readonly [companyId: number, known: Known])[]>,
): (tools: WithinTools) => Map<number, Known> | null {
  const cacheOf = perProduct(({ signals }: WithinTools): Cache<Known> => {
    const cache: Cache<Known> = { companies: null, at: NEVER, isLoading: false, changes: 0 }
    signals.listen(topic, () => {
      cache.changes++
      cache.companies = null
      cache.at = NEVER
    })
    return cache
  })

  /** In the background, not awaited. */
  function load({ scopes, log, stopping }: WithinTools, cache: Cache<Known>): void {
    if (cache.isLoading || stopping()) return
    cache.isLoading = true
    const { changes } = cache
    traced(undefined, () => scopes.platform().transaction(read))
      .then(rows => {
        if (changes !== cache.changes) return
        cache.companies = new Map(rows)
        cache.at = performance.now()
      })
      .catch(error => {
        cache.companies = null
        cache.at = performance.now()
        if (!stopping()) log.warn({ err: error }, `${what} was not found out`)
      })
      .finally(() => {
        cache.isLoading = false
      })
  }

  return tools => {
    const cache = cacheOf(tools)
    const age = performance.now() - cache.at
    if (age > FRESH_MS) load(tools, cache)
    return age > BELIEVED_MS ? null : cache.companies
  }
}
