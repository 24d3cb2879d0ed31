/** Whoever has not come through by then is passed by: one dead connection does not block others. */
const PASSED_BY_MS = 2_000

/** Lets so many through at a time, in the order in which they came. Resolves with a function that lets the next one through. */
export type Turnstile = () => Promise<() => void>

/**
 * A process that starts opens all its connections at once. Each handshake costs a few milliseconds of calculation:
 * a hundred in one go would keep everything else waiting for seconds.
 */
export function createTurnstile(most: number): Turnstile {
  const waiting: (() => void)[] = []
  let inside = 0

  function admit(): () => void {
    inside++
    let isThrough = false
    const leave = () => {
      if (isThrough) return
      isThrough = true
      clearTimeout(timer)
      inside--
      // The next one begins when everything else had its turn.
      setImmediate(next)
    }
    const timer = setTimeout(leave, PASSED_BY_MS).unref()
    return leave
  }

  function next() {
    if (inside < most) waiting.shift()?.()
  }

  return () =>
    new Promise(resolve => {
      waiting.push(() => resolve(admit()))
      next()
    })
}
