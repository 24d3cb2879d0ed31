/** Work that is done again and again. */
export interface Repeats {
  /** Runs it now, or once more behind the run under way. */
  soon(): void
  stop(): Promise<void>
}

/** Runs something again and again (after `wait` ms; null: only by `soon`), never twice at once. */
export function repeated(
  work: () => Promise<void>,
  wait: () => number | null,
  failed: (error: unknown) => void,
): Repeats {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  async function run() {
    do {
      again = false
      await work().catch(failed)
    } while (again && !stopped)
  }
  function soon() {
    if (stopped) return
    clearTimeout(timer)
    again = true
    running ??= run().finally(() => {
      running = null
      const ms = stopped ? null : wait()
      if (ms !== null) timer = setTimeout(soon, ms)
    })
  }
  return {
    soon,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
