/**
 * What the platform offers to features, channels and seeds: one object per process, made by `startProduct` (start.ts).
 * Folders: `access` (sessions, passwords, secrets), `postgres`, `http`, `live` (sockets, signals), `work` (jobs, due rows,
 * leases), `files`, `outbound` (calls to others), `observe` (log, trace, metrics), `lists`, `startup`.
 * Nothing here imports a feature, and nothing that this file imports imports it: who needs less names what it needs.
 */
import type { Logger } from 'pino'
import type { Access } from './access/access.ts'
import type { Secrets } from './access/secrets.ts'
import type { Config } from './config.ts'
import type { Files } from './files/files.ts'
import type { Signals } from './live/signals.ts'
import type { Sockets } from './live/sockets.ts'
import type { Memory } from './memory.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Mail } from './outbound/mail.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Database } from './postgres/db.ts'
import type { Scopes } from './scope.ts'
import type { Jobs } from './work/jobs.ts'

export interface Platform {
  /** The id of this process; a new one after each start. */
  instance: string
  config: Config
  log: Logger
  database: Database
  /** No other process used the database at the start: what it records of running processes is outdated. */
  isAlone: boolean
  memory: Memory
  secrets: Secrets
  files: Files
  outbound: Outbound
  mail: Mail
  access: Access
  scopes: Scopes
  sockets: Sockets
  signals: Signals
  jobs: Jobs
  metrics: Metrics
  /** True from the moment the work of this process ends. */
  stopping(): boolean
  phase(): Phase
}

/** Others send it work while it is serving. It leaves from the request to stop on, and stops once that is known to whoever asks. */
export type Phase = 'starting' | 'serving' | 'leaving' | 'stopping'

/** Work that a role does beside answering HTTP, such as running the channels; `any` runs in every process. */
export interface Role {
  name: 'web' | 'worker' | 'channels' | 'any'
  start(platform: Platform): Promise<{ stop(): Promise<void> }>
}
