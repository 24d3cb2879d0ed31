import { useCallback, useEffect, useState } from 'react'
import { ApiError } from './call.ts'

const TRIES = 3
const FIRST_PAUSE_MS = 1_000

interface Asked<T> {
  /** Undefined while it is on its way, and where it did not come. */
  data?: T
  error?: Error
}

/**
 * What a page outside asks for as it opens, without a cache (decision 033): a refusal stands, what did not arrive is
 * asked for again.
 */
export function useAsked<T>(ask: () => Promise<T>): Asked<T> & { again(): void } {
  const [asked, setAsked] = useState<Asked<T>>({})
  const [time, setTime] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page asks for one thing, and again when it is told to
  useEffect(() => {
    let isLeft = false
    const tell = (found: Asked<T>) => isLeft || setAsked(found)
    tell({})
    patiently(ask).then(
      data => tell({ data }),
      (error: Error) => tell({ error }),
    )
    return () => {
      isLeft = true
    }
  }, [time])
  return { ...asked, again: useCallback(() => setTime(now => now + 1), []) }
}

/** Throws what was refused, or what came of the last try. */
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
