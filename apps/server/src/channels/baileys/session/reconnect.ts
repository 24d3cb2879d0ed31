/** What becomes of a connection whose socket has closed. */
export type Next =
  | { is: 'again'; afterMs: number }
  | { is: 'over'; status: 'DISCONNECTED' | 'TIMEOUT'; reason: string; forget: boolean }

export interface Closed {
  /** Baileys' status code; undefined for an error of another kind. */
  code: number | undefined
  /** A pairing code was shown. An unreachable server has the same status code as an unused code. */
  offered: boolean
  /** Closes in a row, this one not counted, without a connection that held. */
  failures: number
}

export interface Backoff {
  firstMs: number
  mostMs: number
}

/** A connection that stayed open for so long forgets how often it failed before. */
export const HELD_MS = 60_000
export const PACE: Backoff = { firstMs: 1_000, mostMs: 300_000 }

/** The phone asked to come back under its new name: no failure at all. */
export const RESTART = 515
export const STALE_VERSION = 405

/** Codes after which trying again would be useless or harmful. */
const FINAL: Record<number, { reason: string; forget: boolean }> = {
  // Removed from the phone's list of devices: the keys are useless now.
  401: { reason: 'ERR_WAPP_LOGGED_OUT', forget: true },
  403: { reason: 'ERR_WAPP_BANNED', forget: false },
  411: { reason: 'ERR_WAPP_MULTIDEVICE', forget: false },
  // Somebody else logged in with these keys. Two that insist throw each other out for ever.
  440: { reason: 'ERR_WAPP_REPLACED', forget: false },
}
/** The server is busy or refuses this version of the client: no hurry. */
const PATIENT: Record<number, number> = { 503: 30_000, [STALE_VERSION]: 30_000 }
const TIMED_OUT = 408

/** Decides by the status code; waits are drawn at random so that many connections do not come back at once. */
export function afterClose({ code, offered, failures }: Closed, pace = PACE, random = Math.random): Next {
  if (code === RESTART) return { is: 'again', afterMs: 0 }
  if (code === TIMED_OUT && offered) return { is: 'over', status: 'TIMEOUT', reason: '', forget: false }
  const final = code === undefined ? undefined : FINAL[code]
  if (final) return { is: 'over', status: 'DISCONNECTED', ...final }
  const least = Math.min(code === undefined ? 0 : (PATIENT[code] ?? 0), pace.mostMs)
  const spread = Math.min(pace.mostMs, pace.firstMs * 2 ** Math.min(failures, 30))
  return { is: 'again', afterMs: Math.min(pace.mostMs, least + Math.round(random() * spread)) }
}
