import type { Logger } from 'pino'
import type { Feature } from '../features.ts'
import { involving } from '../live/publish.ts'
import { createSignals } from '../live/signals.ts'
import { Memory } from '../memory.ts'
import type { Database } from '../postgres/db.ts'
import { scopes as makeScopes, type Scopes } from '../scope.ts'

interface Offline {
  database: Database
  log: Logger
  timeZone: string
  /** Whose reactions run within transactions. */
  features?: Feature[]
}

/** Scopes for a command: nothing is announced, and no job is enqueued. */
export async function offlineScopes({ features = [], ...given }: Offline): Promise<Scopes> {
  const memory = new Memory()
  const { log } = given
  const signals = await createSignals({ redisUrl: null }, '', log)
  const involve = involving(features)
  const scopes: Scopes = makeScopes({
    ...given,
    memory,
    publish: refused,
    involve: (tx, emitted) =>
      involve(tx, emitted, { backendUrl: '', scopes, memory, signals, log, stopping: () => false }),
    enqueue: refused,
  })
  return scopes
}

function refused(): never {
  throw new Error('a command announces nothing')
}
