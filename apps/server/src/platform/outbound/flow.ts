import { Readable } from 'node:stream'

/** How slowly bytes may come from outside. */
export interface ByteRate {
  /** So long (ms) less may come than `bytesPerSecond`. */
  graceMs: number
  bytesPerSecond: number
}

/** A server that answers at all sends more within half a minute. */
export const byteRate: ByteRate = { graceMs: 30_000, bytesPerSecond: 4_096 }

/** A call of something outside did not end in time. It looks like an outage of whoever was called. */
export class TooLate extends Error {
  readonly code = 'ETIMEDOUT'
  constructor(message: string) {
    super(message)
    this.name = 'TimeoutError'
  }
}

/**
 * The bytes of `source`, ended by TooLate when they come too slowly. Only the time counts in which a reader waits for more:
 * one that pauses ends nothing.
 */
export function flowing(source: Readable, { graceMs, bytesPerSecond }: ByteRate = byteRate): Readable {
  async function* bytes() {
    const pieces = source[Symbol.asyncIterator]()
    let waitedMs = 0
    let size = 0
    try {
      for (;;) {
        const began = performance.now()
        // what came quickly buys no silence after it
        const leftMs = Math.min(graceMs, graceMs + (size / bytesPerSecond) * 1_000 - waitedMs)
        const { done, value } = await notLater(leftMs, pieces.next(), 'bytes come too slowly')
        if (done) return
        waitedMs += performance.now() - began
        size += (value as Uint8Array).length
        yield value as Uint8Array
      }
    } finally {
      source.on('error', () => {}).destroy()
    }
  }
  const flow = Readable.from(bytes(), { objectMode: false })
  // a reader that leaves while nothing comes, or before it began, ends the source too: the generator would wait for the next piece
  const destroy = flow._destroy
  flow._destroy = (error, done) => {
    source.on('error', () => {}).destroy()
    destroy.call(flow, error, done)
  }
  return flow
}

/** The result of `work`; TooLate where it takes longer. */
export function notLater<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new TooLate(what)), Math.max(0, ms))
  work.catch(() => {})
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** The same for work that heeds a signal, which is aborted then. */
export function endsWithin<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  what = `no answer within ${ms} ms`,
): Promise<T> {
  const late = new AbortController()
  return notLater(ms, work(late.signal), what).catch(error => {
    if (error instanceof TooLate) late.abort(error)
    throw error
  })
}
