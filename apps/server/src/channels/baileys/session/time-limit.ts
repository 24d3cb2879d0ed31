import { setTimeout as sleep } from 'node:timers/promises'

const AGAIN_MS = 1_000

/** Resolves when the work does, however it ends, or when the time is over. */
export async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const timeout = sleep(ms, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([work.catch(() => {}), timeout])
  over.abort()
}

/** Tries every second until it works. `failed` is asked after each failure; false gives up. */
export async function insist(work: () => Promise<void>, failed: (error: unknown) => boolean): Promise<void> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!failed(error)) return
      await sleep(AGAIN_MS)
    }
}
