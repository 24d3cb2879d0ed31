import { LRUCache } from 'lru-cache'
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { isConnectionFailure, NotSealedHere } from '../errors.ts'
import { describeError, whyItFailed } from './log-errors.ts'
import { traceNow } from './trace.ts'

/**
 * Observation: the log (log.ts, log-errors.ts), the trace that ties its lines to a request (trace.ts), metrics (metrics.ts).
 * The log is JSON lines, on standard output unless another destination is given, without secrets (in fields of any depth
 * and inside texts) and without what people wrote. `log.child({ subject })` for lines that belong together.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      mixin: traceFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      // Not pino's own `redact`: it reaches a fixed depth, and with wildcards costs ten times as much as the line.
      hooks: { streamWrite: line => blankTexts(blankFields(line)), logMethod: briefly() },
    },
    destination ?? standardOutput(),
  )
}

/** Lines (bytes) that are kept while standard output takes none, as of a file on a full disk. */
const MOST_KEPT = 1_000_000

/** A terminal that was closed, or a pipe whose reader is gone, takes nothing any more. */
const GONE = new Set(['EIO', 'EPIPE'])

/** A log that cannot be written ends nothing: what failed is tried again with the next line. */
function standardOutput() {
  const output = pino.destination({ dest: 1, maxLength: MOST_KEPT })
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    // at the end of the process it would be tried for ever
    output.flushSync = () => {}
    if (GONE.has(code ?? '')) output.write = () => true
  })
  return output
}

function traceFields() {
  const trace = traceNow()
  return trace === undefined ? {} : { trace }
}

/** How often (ms) the same failure to reach a server is logged. */
const AGAIN_MS = 60_000

/**
 * While a server is down, or a value cannot be opened, every try of everything that needs it fails: such lines are logged without the stack and once a
 * minute. Each refused request keeps its line, which is searched by its trace.
 */
function briefly() {
  const logged = new LRUCache<string, true>({ max: 1_000, ttl: AGAIN_MS })
  return function (this: Logger, given: Parameters<LogFn>, write: LogFn) {
    const [first, message, ...rest]: unknown[] = given
    const failure = failureIn(first)
    if (!failure) return write.apply(this, given)
    const { err, ...facts } = failure
    const why = whyItFailed(err)
    const key = `${message} ${why}`
    if (!('trace' in facts && facts.trace) && logged.has(key)) return
    logged.set(key, true)
    Reflect.apply(write, this, [{ ...facts, why }, message, ...rest])
  }
}

/** The fields of a line that reports a server which cannot be reached; null for any other line. */
const failureIn = (first: unknown) =>
  typeof first === 'object' &&
  first !== null &&
  'err' in first &&
  (isConnectionFailure(first.err) || first.err instanceof NotSealedHere)
    ? first
    : null

/** Fields that would let a reader of the log act as another user. */
const secret =
  'authorization|cookie|set-cookie|password|passwordHash|token|accessToken|refreshToken|apiKey|secret|qrcode|pairingCode|creds|value'
const isSecret = new RegExp(`^(${secret})$`, 'i')
const namesSecret = new RegExp(`"(${secret})":`, 'i')

const blankFields = (line: string) =>
  namesSecret.test(line)
    ? `${JSON.stringify(JSON.parse(line, (name, value) => (isSecret.test(name) ? '…' : value)))}\n`
    : line

const inText = [
  [new RegExp(`(\\\\"(?:${secret})\\\\":\\\\")[^"\\\\]+`, 'gi'), '$1…'],
  [/\b(Bearer|Basic) [\w.~+/=-]+/g, '$1 …'],
  [/([?&](?:token|access_token|refresh_token|password|secret|key)=)[^&\s"\\]+/gi, '$1…'],
  [/(\w:\/\/[^\s:@/"\\]*:)[^\s@/"\\]+@/g, '$1…@'],
] as const

const blankTexts = (line: string) =>
  inText.reduce((clean, [pattern, blank]) => clean.replace(pattern, blank), line)
