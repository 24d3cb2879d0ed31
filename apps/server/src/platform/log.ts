import { LRUCache } from 'lru-cache'
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { isConnectionFailure } from './errors.ts'
import { traceNow } from './trace.ts'

/**
 * JSON lines, on standard output unless another destination is given, without secrets: those of a field at any depth,
 * those inside a text. `log.child({ subject })` for what belongs together; `trace` is what they all followed from.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      mixin: traceFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Not pino's own `redact`: it reaches a fixed depth, and with wildcards takes ten times as long as the line.
      hooks: { streamWrite: line => blankTexts(blankFields(line)), logMethod: briefly() },
    },
    destination ?? pino.destination(1),
  )
}

function traceFields() {
  const trace = traceNow()
  return trace === undefined ? {} : { trace }
}

/** How often the same failure to reach a server is told. */
const AGAIN_MS = 60_000

/**
 * A server that is away is met by every try of everything that needs it: told without the stack, which says nothing,
 * and once in a while; each refused request keeps its line, which somebody may look for.
 */
function briefly() {
  const told = new LRUCache<string, true>({ max: 1_000, ttl: AGAIN_MS })
  return function (this: Logger, given: Parameters<LogFn>, write: LogFn) {
    const [first, said, ...rest] = given as unknown as [{ err?: unknown; trace?: string } | string, string]
    if (typeof first !== 'object' || !(first?.err instanceof Error) || !isConnectionFailure(first.err))
      return write.apply(this, given)
    const { err, ...facts } = first
    const why = err.message || (err as { code?: string }).code || err.name
    const key = `${said} ${why}`
    if (!facts.trace && told.has(key)) return
    told.set(key, true)
    write.apply(this, [{ ...facts, why }, said, ...rest] as never)
  }
}

/** Fields that would let a reader of the log act as somebody else. */
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
