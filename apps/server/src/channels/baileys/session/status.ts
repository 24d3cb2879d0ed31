import { LeaseLost, type SessionHost, type SessionState } from '../../../driver.ts'

const AGAIN_MS = 1_000

/** No code shown, and no failure. */
const PLAIN = { statusReason: '', qrcode: '', pairingCode: '', retries: 0 }

/** Reports the state of the session: in order, merged while a report runs, and retried until it is recorded. */
export interface Status {
  opening(): void
  openingAgain(retries: number): void
  offered(code: Pick<SessionState, 'qrcode' | 'pairingCode'>): void
  pairing(): void
  connected(number: string): void
  /** It ends here. */
  closed(status: SessionState['status'], statusReason: string): void
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

  function set(state: Partial<SessionState>) {
    unreported = { ...unreported, ...state }
    running ??= run()
  }

  return {
    opening: () => set({ status: 'OPENING', ...PLAIN }),
    openingAgain: retries => set({ status: 'OPENING', qrcode: '', pairingCode: '', retries }),
    offered: code => set({ status: 'qrcode', ...code }),
    pairing: () => set({ status: 'PAIRING', qrcode: '', pairingCode: '' }),
    connected: number => set({ status: 'CONNECTED', ...PLAIN, number }),
    closed: (status, statusReason) => set({ ...PLAIN, status, statusReason }),
    settled: async () => void (await running),
    stop() {
      isStopped = true
    },
  }
}
