import { useCallback, useEffect, useState } from 'react'
import { ApiError } from './call.ts'

const TRIES = 3
const FIRST_PAUSE_MS = 1_000

interface Asked<T> {
  /** Undefined until loaded, and on failure. */
  data?: T
  error?: Error
}

/**
 * What a page outside fetches as it opens, without a cache (decision 033): a refusal is final, a network
 * failure is retried.
 */
export function useAsked<T>(ask: () => Promise<T>): Asked<T> & { again(): void } {
  const [asked, setAsked] = useState<Asked<T>>({})
  const [time, setTime] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page fetches once, and again when `again` is called
  useEffect(() => {
    let isLeft = false
    const update = (found: Asked<T>) => isLeft || setAsked(found)
    update({})
    patiently(ask).then(
      data => update({ data }),
      (error: Error) => update({ error }),
    )
    return () => {
      isLeft = true
    }
  }, [time])
  return { ...asked, again: useCallback(() => setTime(now => now + 1), []) }
}

/** Retries; throws a refusal at once, or the last failure. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await ask()
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
      if (isRefused || tried === TRIES) throw error
      await new Promise(resolve => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (tried - 1)))
    }
  }
}
