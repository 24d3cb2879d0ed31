import { Gone } from '../../../driver.ts'

/** The longest silence (ms) of a host. */
const STALL_MS = 30_000
const EXPIRED = new Set([403, 404, 410])

/** The host does not have it any more; somebody may put it there again. */
export class Expired extends Gone {}

/**
 * The bytes behind an address, as a stream with back-pressure. Throws `Expired`, or an error when
 * the host refuses, stalls or breaks off. No redirect is followed: it could lead anywhere.
 */
export async function fetchBytes(url: string): Promise<AsyncGenerator<Uint8Array>> {
  const patience = new AbortController()
  const within = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => patience.abort(new Error('the download has stalled')), STALL_MS)
    return work.finally(() => clearTimeout(timer))
  }
  const headers = { origin: 'https://web.whatsapp.com' }
  const response = await within(fetch(url, { headers, redirect: 'error', signal: patience.signal }))
  if (!response.ok || !response.body) patience.abort()
  if (EXPIRED.has(response.status)) throw new Expired(`the host answered ${response.status}`)
  if (!response.ok || !response.body) throw new Error(`the host answered ${response.status}`)
  return pieces(response.body, patience, within)
}

async function* pieces(
  body: ReadableStream<Uint8Array>,
  patience: AbortController,
  within: <T>(work: Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await within(reader.read())
      if (done) return
      yield value
    }
  } finally {
    // Whoever stops in the middle does not want the rest.
    patience.abort()
  }
}
