import type { ErrorCode } from '@balcao/contract/errors.ts'

interface Facts {
  field?: string
  message?: string | undefined
  details?: Record<string, unknown>
}

/** An answer of "no" that the caller can understand: a code of the catalogue, the field at fault, facts. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, { field, message, details }: Facts = {}) {
    super(message ?? code)
    this.code = code
    this.field = field
    this.details = details
  }
}

export function refuse(code: ErrorCode, facts?: Facts): never {
  throw new Refusal(code, facts)
}

/** Drizzle wraps what the driver threw; the driver's own error says what happened. */
function* causes(error: unknown) {
  for (let one = error; one instanceof Error; one = one.cause)
    yield one as Error & { code?: string; constraint?: string }
}

/** True when a unique index refused; `index` names it, or is the table that begins its name. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  for (const { code, constraint } of causes(error))
    if (code === '23505' && constraint?.startsWith(index)) return true
  return false
}

const LOST = /ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH/
const LOST_STATES = /^(08\d\d\d|57P0[1-3]|25P03|53300|58000)$/

/** True when the database could not be reached or went away: the caller may try again later. */
export function isConnectionFailure(error: unknown): boolean {
  for (const { code = '', message } of causes(error))
    if (
      LOST.test(code) ||
      LOST_STATES.test(code) ||
      /Connection terminated|timeout exceeded when trying to connect/.test(message)
    )
      return true
  return false
}
