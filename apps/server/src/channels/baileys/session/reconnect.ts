import { cut } from '@balcao/contract/cut.rules.ts'

/** What becomes of a connection whose socket has closed. */
export type Next =
  | { is: 'again'; afterMs: number; reason: string }
  /** Closed for a time, and then opened again. */
  | { is: 'rests'; forMs: number; reason: string }
  | { is: 'over'; status: 'DISCONNECTED' | 'TIMEOUT'; reason: string; forget: boolean }

export interface Closed {
  /** Baileys' status code; undefined for an error of another kind. */
  code: number | undefined
  /** The attributes of the stanza with which the server refused the login; null for any other end. */
  refusal: { expire?: string; code?: string } | null
  /** A pairing code was shown. An unreachable server has the same status code as an unused code. */
  offered: boolean
  /** Closes in a row, this one not counted, without a connection that held. */
  failures: number
}

export interface Backoff {
  firstMs: number
  mostMs: number
  /** The pause after `MOST_REFUSALS`, and after a temporary ban whose end is not known. */
  restMs: number
}

/** A connection that stayed open for so long forgets how often it failed before. */
export const HELD_MS = 60_000
export const PACE: Backoff = { firstMs: 1_000, mostMs: 300_000, restMs: 900_000 }

/** The phone asked to come back under its new name: no failure at all. */
export const RESTART = 515
export const STALE_VERSION = 405
const TEMPORARY_BAN = 402
const TIMED_OUT = 408

/** A server that refuses logins so often in a row, or is not able to serve, is left alone for `restMs`. */
export const MOST_REFUSALS = 12
/** The longest ban that is believed; WhatsApp writes seconds. */
const LONGEST_BAN_MS = 90 * 86_400_000

/** Codes after which trying again would be useless or harmful. */
const FINAL: Record<number, { reason: string; forget: boolean }> = {
  // Removed from the phone's list of devices: the keys are useless now.
  401: { reason: 'ERR_WAPP_LOGGED_OUT', forget: true },
  // The keys stay: a review, or the phone's return, may lift it, and then they work again.
  403: { reason: 'ERR_WAPP_LOCKED', forget: false },
  406: { reason: 'ERR_WAPP_BANNED', forget: false },
  411: { reason: 'ERR_WAPP_MULTIDEVICE', forget: false },
  // Another client logged in with these keys. Two that insist throw each other out for ever.
  440: { reason: 'ERR_WAPP_REPLACED', forget: false },
}

/**
 * Refusals of a login without a remedy: the client's description of itself was not accepted (409), and what whatsmeow does
 * not try again either (connectionevents.go, `handleConnectFailure`).
 */
const REFUSED = [400, 409, 415, 501]

/** The server is busy, or refuses this version of the client: no hurry, and not for ever. */
const PATIENT: Record<number, { leastMs: number; reason: string }> = {
  500: { leastMs: 0, reason: 'ERR_WAPP_UNAVAILABLE' },
  503: { leastMs: 30_000, reason: 'ERR_WAPP_UNAVAILABLE' },
  [STALE_VERSION]: { leastMs: 30_000, reason: 'ERR_WAPP_OUTDATED' },
}

/**
 * Decides by the status code; waits are drawn at random so that many connections do not come back at once. Codes and their
 * meaning: whatsmeow, types/events/events.go, `ConnectFailureReason`.
 */
export function afterClose(closed: Closed, pace = PACE, random = Math.random): Next {
  const { code = 0, refusal, offered, failures } = closed
  if (code === RESTART) return { is: 'again', afterMs: 0, reason: '' }
  if (code === TIMED_OUT && offered) return { is: 'over', status: 'TIMEOUT', reason: '', forget: false }
  if (code === TEMPORARY_BAN)
    return { is: 'rests', forMs: banMs(refusal?.expire, pace), reason: 'ERR_WAPP_TEMP_BANNED' }
  const final = FINAL[code] ?? (refusal && REFUSED.includes(code) ? UNWANTED : undefined)
  if (final) return { is: 'over', status: 'DISCONNECTED', ...final }
  const { leastMs, reason } = PATIENT[code] ?? { leastMs: 0, reason: 'ERR_WAPP_CONNECTION_LOST' }
  if (code in PATIENT && failures + 1 >= MOST_REFUSALS) return { is: 'rests', forMs: pace.restMs, reason }
  const least = Math.min(leastMs, pace.mostMs)
  const spread = Math.min(pace.mostMs, pace.firstMs * 2 ** Math.min(failures, 30))
  return { is: 'again', afterMs: Math.min(pace.mostMs, least + Math.round(random() * spread)), reason }
}

const UNWANTED = { reason: 'ERR_WAPP_REFUSED', forget: false }

function banMs(expire: string | undefined, { restMs }: Backoff): number {
  const ms = Number(expire) * 1000
  return ms > 0 ? Math.min(ms, LONGEST_BAN_MS) : restMs
}

/** How a socket closed, by the error that Baileys reports. */
export function closedBy(error: unknown): Pick<Closed, 'code' | 'refusal'> {
  const { output, data } = (error ?? {}) as { output?: { statusCode?: number }; data?: unknown }
  const attrs = data && typeof data === 'object' && 'reason' in data ? (data as Closed['refusal']) : null
  return { code: output?.statusCode, refusal: attrs }
}

/** WhatsApp's code with what it adds, for the history of the connection: `402 101`. */
export const codeOf = ({ code, refusal }: Pick<Closed, 'code' | 'refusal'>): string =>
  cut([code, refusal?.code].filter(Boolean).join(' '), 20)
