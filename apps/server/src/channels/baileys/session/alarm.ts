/** `setTimeout` takes no more milliseconds than a signed integer of 32 bits. */
const MOST_MS = 2 ** 31 - 1

/** One timer, of any length; setting it again replaces it. */
export interface Alarm {
  set(ms: number, ring: () => unknown): void
  stop(): void
}

export function createAlarm(): Alarm {
  let timer: NodeJS.Timeout | undefined
  const alarm: Alarm = {
    set(ms, ring) {
      clearTimeout(timer)
      const rest = ms - MOST_MS
      timer = rest > 0 ? setTimeout(() => alarm.set(rest, ring), MOST_MS) : setTimeout(ring, ms)
    },
    stop: () => clearTimeout(timer),
  }
  return alarm
}
