import type { ConnectionState, WASocket } from 'baileys'
import type { Logger } from 'pino'
import { LeaseLost, type SessionHost } from '../../../driver.ts'
import { databaseNow } from '../../../platform/clock.ts'

type Lock = NonNullable<ConnectionState['reachoutTimeLock']>

/** A restriction whose end WhatsApp does not name is believed so long, and then found out by the next first message. */
const UNKNOWN_END_MS = 3_600_000
const ASK_MS = 5_000

/** WhatsApp's time-lock on first messages to people who never wrote to the number ("reach-out time-lock"). */
export interface Restriction {
  /** By a notification, or an answer. Resolves with its end once it is stored; null for none. */
  learn(lock: Lock): Promise<string | null>
  /**
   * Asks WhatsApp, which answers of its own accord only when the state changes. Null also without an answer. Throws when the
   * answer could not be stored: nothing would keep the next first message back.
   */
  ask(sock: Pick<WASocket, 'fetchAccountReachoutTimelock'>): Promise<string | null>
}

/**
 * Baileys 7.0.0-rc14 knows the query and the notification, and asks by itself only in a branch that it never reaches
 * (`messages-recv.js`, the second test for 463): so it is asked here, after the login and after each refusal with 463.
 */
export function createRestriction(
  host: Pick<SessionHost, 'restrict'>,
  { log, onLost }: { log: Logger; onLost(): void },
): Restriction {
  async function store({ isActive, timeEnforcementEnds: ends }: Lock) {
    const end = ends ?? new Date(databaseNow() + UNKNOWN_END_MS)
    const until = isActive && end.getTime() > databaseNow() ? end.toISOString() : null
    try {
      await host.restrict(until)
    } catch (error) {
      if (error instanceof LeaseLost) onLost()
      else log.warn({ err: error }, 'a restriction of the number could not be stored')
      throw error
    }
    return until
  }
  return {
    learn: lock => store(lock).catch(() => null),
    async ask(sock) {
      const late = AbortSignal.timeout(ASK_MS)
      const silence = new Promise<null>(done => late.addEventListener('abort', () => done(null)))
      const answer = sock.fetchAccountReachoutTimelock().catch(error => {
        log.warn({ err: error }, 'WhatsApp did not say whether the number is restricted')
        return null
      })
      const lock = await Promise.race([answer, silence])
      return lock && store(lock)
    },
  }
}
