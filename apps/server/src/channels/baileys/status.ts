import { LeaseLost, type SessionHost, type SessionState } from '../../driver.ts'

const AGAIN_MS = 1_000

/** Says how the session stands: in order, the latest word wins, and until the house has heard it. */
export interface Status {
  say(state: Partial<SessionState>): void
  said(): Promise<void>
  stop(): void
}

export function createStatus(host: SessionHost, onLost: () => void): Status {
  let unsaid: Partial<SessionState> | null = null
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    await null
    while (unsaid && !isStopped) {
      const state: Partial<SessionState> = unsaid
      unsaid = null
      try {
        await host.report(state)
      } catch (error) {
        if (error instanceof LeaseLost) return onLost()
        unsaid = { ...state, ...(unsaid as Partial<SessionState> | null) }
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    running = null
  }

  return {
    say(state) {
      unsaid = { ...unsaid, ...state }
      running ??= run()
    },
    said: async () => void (await running),
    stop() {
      isStopped = true
    },
  }
}
