import type { ErrorCode } from '@balcao/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'

const TIMEOUT_MS = 3_000
const MAX_BYTES = 64 * 1024
/** What is looked up changes seldom, and the public services count their calls. */
const KEPT_MS = 30 * 24 * 60 * 60_000

/** Something that a public service knows by a number. */
interface Lookup<Found> {
  /** What its answer is called in the log. */
  of: string
  shape: z.ZodType<Found>
  /** Whether an answer of the right shape says that nothing is known. */
  saysNothing(said: object): boolean
  /** An answer without this is none. */
  isFull(found: Found): boolean
  refusals: Record<'service' | 'found' | 'search', ErrorCode>
  field: string
}

/**
 * Asks the service at `address`, whose `{field}` is the number, else it stands behind. Refuses where the operator named
 * no service, where it knows nothing, and where it does not answer in time or not in words that we know.
 */
export function lookupOf<Found extends object>(of: Lookup<Found>) {
  const known = new LRUCache<string, Found>({ max: 5_000, ttl: KEPT_MS })
  return async (platform: Platform, address: string | null, number: string): Promise<Found> => {
    if (!address) return refuse(of.refusals.service)
    const gap = `{${of.field}}`
    const url = address.includes(gap) ? address.replaceAll(gap, number) : `${address}/${number}`
    const before = known.get(url)
    if (before) return before
    const found = await ask(platform, of, url)
    known.set(url, found)
    return found
  }
}

async function ask<Found>({ outbound, log }: Platform, of: Lookup<Found>, url: string): Promise<Found> {
  const given = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  const answer = await outbound.fetchOutside(url, given).catch(error => {
    log.warn({ err: error }, `${of.of} did not answer`)
    return refuse(of.refusals.search)
  })
  if (answer.status === 404 || answer.status === 400) return refuse(of.refusals.found, { field: of.field })
  const said = answer.status === 200 ? readJson(answer.body) : null
  if (said && of.saysNothing(said)) return refuse(of.refusals.found, { field: of.field })
  const found = of.shape.safeParse(said)
  if (found.success && of.isFull(found.data)) return found.data
  log.warn({ status: answer.status }, `${of.of} answered something else`)
  return refuse(of.refusals.search)
}

function readJson(body: Buffer): object | null {
  try {
    const said: unknown = JSON.parse(body.toString())
    return typeof said === 'object' ? said : null
  } catch {
    return null
  }
}
