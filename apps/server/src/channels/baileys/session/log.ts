import type { SocketConfig } from 'baileys'
import type { Logger } from 'pino'

type BaileysLog = SocketConfig['logger']

/**
 * Baileys' remarks at debug level, as bare sentences: what it would add holds addresses, texts and keys. What an
 * operator must know is logged by the session itself.
 */
export function baileysLog(log: Logger): BaileysLog {
  const write = (about: unknown, sentence?: string) =>
    log.debug(sentence ?? (typeof about === 'string' ? about : ''))
  const silent = () => {}
  const made: BaileysLog = {
    level: 'warn',
    child: () => made,
    trace: silent,
    debug: silent,
    info: silent,
    warn: write,
    error: write,
  }
  return made
}
