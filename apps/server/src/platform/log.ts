import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** Fields that would let a reader of the log act as somebody else. */
const secret = [
  'authorization',
  'cookie',
  'password',
  'token',
  'refreshToken',
  'qrcode',
  'pairingCode',
  'creds',
  'value',
]

/** JSON lines on standard output; secrets are blanked wherever they stand one level deep. */
export const createLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger =>
  pino({
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secret.flatMap(name => [name, `*.${name}`, `*.headers.${name}`]), censor: '…' },
  })
