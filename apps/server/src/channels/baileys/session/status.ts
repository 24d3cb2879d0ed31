import {
  type FallNote,
  LeaseLost,
  type SessionHost,
  type SessionReport,
  type SessionState,
} from '../../../driver.ts'

const AGAIN_MS = 1_000

/** No code shown, and no failure. */
const PLAIN = { statusReason: '', statusUntil: null, qrcode: '', pairingCode: '', retries: 0 }

/** Reports the state of the session: in order, merged while a report runs, and retried until it is recorded. */
export interface Status {
  opening(): void
  openingAgain(retries: number, fall: FallNote): void
  offered(code: Pick<SessionState, 'qrcode' | 'pairingCode'>): void
  pairing(): void
  connected(number: string): void
  /** It is closed until a time, and then opened again. */
  rests(until: string, fall: FallNote): void
  /** It ends here. */
  closed(status: SessionState['status'], fall: FallNote): void
  /** Resolves when the last state is reported. */
  settled(): Promise<void>
  stop(): void
}

export function createStatus(host: SessionHost, onLost: () => void): Status {
  let unreported: SessionReport | null = null
  let running: Promise<void> | null = null
  let isStopped = false

  async function run() {
    await null
    while (unreported && !isStopped) {
      const state: SessionReport = unreported
      unreported = null
      try {
        await host.report(state)
      } catch (error) {
        if (error instanceof LeaseLost) return onLost()
        unreported = { ...state, ...(unreported as SessionReport | null) }
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    running = null
  }

  function set(state: SessionReport) {
    unreported = { ...unreported, ...state }
    running ??= run()
  }

  return {
    opening: () => set({ status: 'OPENING', ...PLAIN }),
    openingAgain: (retries, fall) =>
      set({ ...PLAIN, status: 'OPENING', statusReason: shownWhileOpening(fall), retries, fall }),
    offered: code => set({ status: 'qrcode', ...code }),
    pairing: () => set({ status: 'PAIRING', qrcode: '', pairingCode: '' }),
    connected: number => set({ status: 'CONNECTED', ...PLAIN, number }),
    rests: (statusUntil, fall) =>
      set({ ...PLAIN, status: 'DISCONNECTED', statusReason: fall.reason, statusUntil, fall }),
    closed: (status, fall) => set({ ...PLAIN, status, statusReason: fall.reason, fall }),
    settled: async () => void (await running),
    stop() {
      isStopped = true
    },
  }
}

/** A lost line needs no words while it is opened again. */
const shownWhileOpening = ({ reason }: FallNote) => (reason === 'ERR_WAPP_CONNECTION_LOST' ? '' : reason)
