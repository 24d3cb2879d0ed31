import { setTimeout as pause } from 'node:timers/promises'
import { isReferred, wasEndedForAnother, wasIdleTooLong } from '../errors.ts'

/** How often a transaction is begun that the database aborts because of others, or of a process that stood still. */
const TRIES = 6
const FIRST_PAUSE_MS = 10

/**
 * Retries a transaction after a deadlock, a serialization failure, or when it was idle for too long, as of a process that
 * gets little processor time; with backoff and jitter. A foreign key violation is retried once: the row was deleted
 * meanwhile, and the second run refuses it as not found.
 */
export async function untilCommitted<T>(once: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await once()
    } catch (error) {
      const isWorthIt =
        wasEndedForAnother(error) || wasIdleTooLong(error) || (tried === 1 && isReferred(error))
      if (tried === TRIES || !isWorthIt) throw error
      await pause(FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random()))
    }
}
