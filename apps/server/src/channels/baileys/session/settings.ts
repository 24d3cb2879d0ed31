import type { WAVersion } from 'baileys'
import type { Logger } from 'pino'
import type { Backoff } from './reconnect.ts'

export interface SessionSettings {
  webUrl: string
  /** Null: the version that Baileys brings, renewed when the server refuses it. */
  version: WAVersion | null
  log: Logger
  pace?: Backoff
  /** After so long without another chunk a phone has sent all of its past. */
  historyQuietMs?: number
}
