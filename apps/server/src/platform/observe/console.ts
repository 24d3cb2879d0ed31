import { format } from 'node:util'
import type { Logger } from 'pino'

const LEVELS = { log: 'info', info: 'info', debug: 'debug', warn: 'warn', error: 'error' } as const

/**
 * In production the output is JSON lines, also what Node and libraries print: warnings, words on the console, and the
 * exception that ends the process.
 */
export function printAsLog(log: Logger): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, 'info'][])
    console[method] = (...words: unknown[]) => log[level](format(...words))
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ why: `${name}: ${message}` }, 'a warning of Node'))
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'an error that nothing handles ended the process')
    process.exit(1)
  })
}
