import type { Logger } from 'pino'
import { databaseTime } from '../clock.ts'
import { whyItFailed } from './log-errors.ts'

/** Another server that the product can do without for a while, as this process last met it. */
export interface ServerState {
  isUp: boolean
  /** Why it is not; empty while it is. */
  why: string
  /** Since when it is so, as far as this process knows. */
  since: string
}

export interface WatchedServer {
  /** Its name and port, without user and password. */
  place: string
  /** Null before the first answer. */
  state(): ServerState | null
  /** What a call met: an error, or null when it succeeded. A change is logged, one line each. */
  note(error: unknown): void
  /** Asks it now, within some seconds. */
  look(): Promise<void>
  close(): void
}

interface Watching {
  what: string
  place: string
  /** What is missing while it does not answer. */
  lacks: string
  everyMs: number
  /** The same while it does not answer. */
  soonMs?: number
  log: Pick<Logger, 'info' | 'warn'>
  ask(signal: AbortSignal): Promise<unknown>
}

/** The longest wait (ms) for an answer. */
const PATIENCE_MS = 5_000
const SOON_MS = 5_000

/** Asks a server again and again, and by whatever calls it otherwise, so that its end is known before somebody misses it. */
export function watchServer({
  what,
  place,
  lacks,
  everyMs,
  soonMs = SOON_MS,
  log,
  ask,
}: Watching): WatchedServer {
  let state: ServerState | null = null
  let isClosed = false
  function note(error: unknown) {
    if (isClosed) return
    const isUp = error === null
    const why = isUp ? '' : whyItFailed(error)
    const isNew = state?.isUp !== isUp
    if (isNew && !isUp) log.warn({ server: place, why }, `${what} does not answer: ${lacks}`)
    if (isNew && isUp && state) log.info({ server: place }, `${what} answers again`)
    state = { isUp, why, since: isNew || !state ? databaseTime() : state.since }
  }
  const look = () =>
    inTime(ask).then(
      () => note(null),
      error => note(error),
    )
  let lookedAt = performance.now()
  const timer = setInterval(
    () => {
      const isDue = performance.now() - lookedAt >= everyMs - soonMs / 2
      if (!isDue && state?.isUp !== false) return
      lookedAt = performance.now()
      void look()
    },
    Math.min(soonMs, everyMs),
  )
  timer.unref()
  return {
    place,
    state: () => state,
    note,
    look,
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}

/** Rejects when it takes too long, whether or not the call heeds the signal. */
export function inTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = new AbortController()
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${PATIENCE_MS / 1_000} s`))
    late.abort()
  }, PATIENCE_MS)
  return Promise.race([ask(late.signal), promise]).finally(() => clearTimeout(timer))
}
