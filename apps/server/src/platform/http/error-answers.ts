import type { ErrorBody, ErrorCode } from '@balcao/contract/errors.ts'
import { errorStatus } from '@balcao/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Platform } from '../app.ts'
import { FilesUnavailable, isConnectionFailure, isDiskFull, isTooSlow, Refusal } from '../errors.ts'
import { networkOf } from './rate-limits.ts'

/** The largest body (bytes) that is no form. */
export const JSON_LIMIT = 1_048_576

/** The pattern that a call matched. */
export const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? 'unknown'

/** What is no fault of the caller's. */
const OURS = new Set<ErrorCode>([
  'ERR_INTERNAL',
  'ERR_DATABASE_UNAVAILABLE',
  'ERR_FILE_STORE_UNAVAILABLE',
  'ERR_DISK_FULL',
  'ERR_TOO_SLOW',
])

/** Limits of a form other than its size. */
const tooMany = new Set(['FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT'])

/** Every refusal has one shape; an unexpected error reveals nothing but its request id. */
export function answerRefusal(
  platform: Platform,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // the caller hung up, or was too slow: its connection's end is not that of the database's
  const isCutOff = error instanceof Error && request.raw.errored === error
  if (isCutOff)
    platform.log.debug({ trace: request.id, route: routeOf(request) }, 'a body did not arrive whole')
  const refusal = isCutOff ? new Refusal('ERR_BAD_REQUEST', { field: 'body' }) : refusalOf(error)
  const { code, field, details, retryAfter } = refusal
  if (OURS.has(code))
    // the route, not the address: an address may hold what lets somebody in
    platform.log.error(
      { err: error, trace: request.id, method: request.method, route: routeOf(request) },
      code,
    )
  const body: ErrorBody = { error: code, message: refusal.message, requestId: request.id }
  if (field) body.field = field
  if (details) body.details = details
  if (retryAfter) reply.header('retry-after', retryAfter)
  return reply.code(errorStatus[code]).send(body)
}

const MINUTE = 60_000

/** Logs callers that were refused by a limit, each once a minute. */
export function onceAMinute(log: Logger) {
  const logged = new LRUCache<string, true>({ max: 1_000, ttl: MINUTE })
  return (request: FastifyRequest) => {
    const { id, ip, method } = request
    const route = routeOf(request)
    const key = `${route} ${networkOf(ip)}`
    if (logged.has(key)) return
    logged.set(key, true)
    log.info({ trace: id, ip, method, route }, 'a call was refused by a limit')
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof FilesUnavailable) return new Refusal('ERR_FILE_STORE_UNAVAILABLE')
  if (isConnectionFailure(error)) return new Refusal('ERR_DATABASE_UNAVAILABLE')
  if (isDiskFull(error)) return new Refusal('ERR_DISK_FULL')
  if (isTooSlow(error)) return new Refusal('ERR_TOO_SLOW')
  const status = (error as { statusCode?: number }).statusCode
  if (tooMany.has((error as { code?: string }).code ?? ''))
    return new Refusal('ERR_BAD_REQUEST', { field: 'body', message: (error as Error).message })
  if (status === 413) return new Refusal('ERR_FILE_TOO_LARGE', { message: 'The body is too large' })
  if (status === 415) return new Refusal('ERR_FILE_TYPE', { message: 'Send JSON' })
  if (status && status >= 400 && status < 500)
    return new Refusal('ERR_BAD_REQUEST', { field: 'body', message: (error as Error).message })
  return new Refusal('ERR_INTERNAL')
}
