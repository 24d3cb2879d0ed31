import { LeaseLost, type SessionHost, type SessionState } from '../../../driver.ts'

const AGAIN_MS = 1_000

/** Reports the state of the session: in order, merged while a report runs, and retried until it is recorded. */
export interface Status {
  set(state: Partial<SessionState>): void
  /** Resolves when the last state is reported. */
  settled(): Promise<void>
  stop(): void
}

export function createStatus(host: SessionHost, onLost: () => void): Status {
  let unreported: Partial<SessionState> | null = null
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    await null
    while (unreported && !isStopped) {
      const state: Partial<SessionState> = unreported
      unreported = null
      try {
        await host.report(state)
      } catch (error) {
        if (error instanceof LeaseLost) return onLost()
        unreported = { ...state, ...(unreported as Partial<SessionState> | null) }
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    running = null
  }

  return {
    set(state) {
      unreported = { ...unreported, ...state }
      running ??= run()
    },
    settled: async () => void (await running),
    stop() {
      isStopped = true
    },
  }
}
