import type { ErrorCode } from '@balcao/contract/errors.ts'

interface Facts {
  field?: string
  message?: string | undefined
  details?: Record<string, unknown>
  /** Seconds after which the same may be asked again. */
  retryAfter?: number
}

/** An answer of "no" that the caller can understand: a code of the catalogue, the field at fault, facts. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, { field, message, details, retryAfter }: Facts = {}) {
    super(message ?? code)
    this.name = 'Refusal'
    this.code = code
    this.field = field
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** The server that keeps files does not answer, or refuses: the caller may try again later. */
export class FilesUnavailable extends Error {}

/** A value was sealed with another secret, or for another company. */
export class NotSealedHere extends Error {}

/** Ends what is being done with a Refusal. */
export function refuse(code: ErrorCode, facts?: Facts): never {
  throw new Refusal(code, facts)
}

/** True when a unique index refused; `index` narrows it to one by name, or to those whose name it begins. */
export function isUniqueViolation(error: unknown, index = ''): boolean {
  return causes(error).some(
    ({ code, constraint }) => code === '23505' && (constraint ?? '').startsWith(index),
  )
}

/** True when a row cannot go, since others refer to it. */
export const isReferred = (error: unknown): boolean => causes(error).some(({ code }) => code === '23503')

/**
 * True when another transaction got there first (the same new row, a row that went, a deadlock): done again, this one
 * succeeds.
 */
export function isLostRace(error: unknown): boolean {
  for (const { code } of causes(error)) if (code && /^(23503|23505|40P01|40001)$/.test(code)) return true
  return false
}

/** True when the database ended this transaction for the sake of another: a deadlock, or rows that changed meanwhile. */
export const wasEndedForAnother = (error: unknown): boolean =>
  causes(error).some(({ code }) => code === '40P01' || code === '40001')

/**
 * True when the database ended a transaction that sent nothing for seconds, as of a process that got no processor time:
 * nothing of it was kept, and done again it succeeds.
 */
export const wasIdleTooLong = (error: unknown): boolean => causes(error).some(({ code }) => code === '25P03')

/** What a statement is answered whose transaction was ended by the failure of another: the reason is the other's. */
export const isAftermath = (error: unknown): boolean =>
  causes(error).some(({ code }) => code === '25P02' || code === '26000')

/** Somebody else held a lock for longer than it was waited for. */
export const isLockHeld = (error: unknown): boolean => causes(error).some(({ code }) => code === '55P03')

/** Data exceptions, broken constraints, program limits: PostgreSQL, appendix A. */
const UNFIT = /^(22|23|54)\w{3}$/

/** True when the input can never be stored as it is: no retry will succeed. */
export const isUnfit = (error: unknown): boolean =>
  causes(error).some(
    one =>
      UNFIT.test(one.code ?? '') ||
      one instanceof TypeError ||
      one instanceof RangeError ||
      one instanceof SyntaxError,
  )

/** True when a statement took longer than somebody waits for it. */
export const isTooSlow = (error: unknown): boolean => causes(error).some(({ code }) => code === '57014')

const LOST = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/
/** Connection exceptions, a server that stops or starts, an idle or a superfluous connection, a full disk: PostgreSQL, appendix A. */
const LOST_STATES = /^(08\w{3}|57P0[1-3]|25P03|53[13]00|58000)$/
/** Messages of pg and its pool without a code, and the socket of a PostgreSQL that is not running. */
const LOST_WORDS =
  /connect ENOENT|Connection terminated|timeout exceeded when trying to connect|is not queryable|after calling end on the pool/

/** What PostgreSQL answered, and not who asks it. */
export const isOfDatabase = (error: Error): boolean =>
  'severity' in error && /^[0-9A-Z]{5}$/.test((error as DriverError).code ?? '')

/** What the database's user may not do, in the server's words; null when another thing went wrong. */
export const rightMissing = (error: unknown): string | null =>
  causes(error).find(({ code }) => code === '42501')?.message ?? null

/** No room is left, where files are kept or where the database keeps its own. */
export const isDiskFull = (error: unknown): boolean =>
  causes(error).some(({ code }) => code === 'ENOSPC' || code === 'EDQUOT' || code === '53100')

/** True when the database or the server of files could not be reached, went away or has no room: the caller may try again later. */
export function isConnectionFailure(error: unknown): boolean {
  return causes(error).some(
    one =>
      one instanceof FilesUnavailable ||
      LOST.test(one.code ?? '') ||
      LOST_STATES.test(one.code ?? '') ||
      LOST_WORDS.test(one.message),
  )
}

/** What a mail server answers or does not: https://github.com/nodemailer/nodemailer/blob/master/lib/smtp-connection/index.js */
const OF_MAIL = /^E(AUTH|CONNECTION|DNS|ENVELOPE|MESSAGE|PROTOCOL|SOCKET|STREAM|TLS)$/

/** True when the database or the disk could not do it now, whatever was to be done: it is tried again. */
const isOurs = (error: unknown): boolean =>
  isConnectionFailure(error) ||
  isDiskFull(error) ||
  isTooSlow(error) ||
  isLockHeld(error) ||
  wasEndedForAnother(error)

/** True when the fault is not in what was to be stored: it is ours, or the database answered and refuses something else. */
export const isRepeatable = (error: unknown): boolean =>
  isOurs(error) || causes(error).some(one => isOfDatabase(one) && !UNFIT.test(one.code ?? ''))

/** True when it is no defect of the program but the state of its surroundings, or a refusal: its stack shows no defect. */
export const isExpected = (error: unknown): boolean =>
  isOurs(error) ||
  causes(error).some(
    one => one instanceof Refusal || one instanceof NotSealedHere || OF_MAIL.test(one.code ?? ''),
  )

type DriverError = Error & { code?: string; constraint?: string }

/** Drizzle wraps what the driver threw, Node what each address of a host answered: the error and all beneath it. */
function causes(error: unknown, depth = 5): DriverError[] {
  if (!(error instanceof Error) || depth === 0) return []
  const beneath = error instanceof AggregateError ? error.errors : [error.cause]
  return [error, ...beneath.flatMap(one => causes(one, depth - 1))]
}
