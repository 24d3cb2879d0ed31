import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/**
 * JSON lines, on standard output unless another destination is given, without secrets: those of a field at any depth,
 * those inside a text. `log.child({ subject })` for what belongs together.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Not pino's own `redact`: it reaches a fixed depth, and with wildcards takes ten times as long as the line.
      hooks: { streamWrite: line => blankTexts(blankFields(line)) },
    },
    destination ?? pino.destination(1),
  )
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
