import type { Logger } from 'pino'

/** Work that goes on until it is stopped. */
export interface Repeated {
  /** Does it once more now; while it runs, once more behind that. */
  now(): void
  /** Resolves when what runs has ended. */
  stop(): Promise<void>
}

/** Does something again and again, never twice at once; a failure waits for the next time. */
export function repeat(ms: number, work: () => Promise<void>, log: Logger): Repeated {
  const repeated = whenAsked(work, log)
  const timer = setInterval(repeated.now, ms)
  return {
    now: repeated.now,
    stop: () => {
      clearInterval(timer)
      return repeated.stop()
    },
  }
}

/** The same without a clock. */
export function whenAsked(work: () => Promise<void>, log: Logger): Repeated {
  let running: Promise<void> | null = null
  let again = false
  const now = () => {
    again = true
    running ??= run().finally(() => {
      running = null
    })
  }
  async function run() {
    while (again) {
      again = false
      await work().catch(error => log.warn({ err: error }, 'what is done again and again failed this time'))
    }
  }
  return {
    now,
    stop: async () => {
      again = false
      await running
    },
  }
}
