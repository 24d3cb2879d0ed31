import type { ErrorCode } from '@balcao/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { perProduct } from '../../platform/memory.ts'

const TIMEOUT_MS = 3_000
const MAX_BYTES = 64 * 1024
/** Answers change seldom, and the public services limit calls. */
const KEPT_MS = 30 * 24 * 60 * 60_000

/** A public service that is queried by a number. */
interface Lookup<Found> {
  /** The name of the service in the log. */
  of: string
  shape: z.ZodType<Found>
  /** Whether an answer of status 200 means not found. */
  isNotFound(answer: object): boolean
  /** Whether an answer has the required fields. */
  isComplete(found: Found): boolean
  refusals: Record<'service' | 'found' | 'search', ErrorCode>
  field: string
}

/**
 * Queries the service at `address`: the number replaces `{field}`, else it is appended. Refuses where no service is
 * configured, where it finds nothing, and where it does not answer in time or in a known format.
 */
export function lookupOf<Found extends object>(of: Lookup<Found>) {
  const answersOf = perProduct(() => new LRUCache<string, Found>({ max: 5_000, ttl: KEPT_MS }))
  return async (platform: Platform, address: string | null, number: string): Promise<Found> => {
    if (!address) return refuse(of.refusals.service)
    const gap = `{${of.field}}`
    const url = address.includes(gap) ? address.replaceAll(gap, number) : `${address}/${number}`
    const known = answersOf(platform)
    const before = known.get(url)
    if (before) return before
    const found = await query(platform, of, url)
    known.set(url, found)
    return found
  }
}

async function query<Found>({ outbound, log }: Platform, of: Lookup<Found>, url: string): Promise<Found> {
  const given = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  const answer = await outbound
    .by({ target: 'lookups', companyId: null })
    .fetchOutside(url, given)
    .catch(error => {
      log.warn({ err: error }, `${of.of} did not answer`)
      return refuse(of.refusals.search)
    })
  if (answer.status === 404 || answer.status === 400) return refuse(of.refusals.found, { field: of.field })
  const json = answer.status === 200 ? readJson(answer.body) : null
  if (json && of.isNotFound(json)) return refuse(of.refusals.found, { field: of.field })
  const found = of.shape.safeParse(json)
  if (found.success && of.isComplete(found.data)) return found.data
  log.warn({ status: answer.status }, `${of.of} answered something else`)
  return refuse(of.refusals.search)
}

function readJson(body: Buffer): object | null {
  try {
    const json: unknown = JSON.parse(body.toString())
    return typeof json === 'object' ? json : null
  } catch {
    return null
  }
}
