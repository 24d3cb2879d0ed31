import type { ConnectionStatus } from './connections.ts'

/** Every state but CONNECTED is marked in the menu. */
export const needsAttention = (status: ConnectionStatus) => status !== 'CONNECTED'

export type SessionAction = 'showQr' | 'retry' | 'newQr' | 'disconnect' | 'clean'

/** What an admin can do in each state; OPENING can only be cleaned. */
export const sessionActions: Record<ConnectionStatus, SessionAction[]> = {
  qrcode: ['showQr', 'disconnect'],
  DISCONNECTED: ['retry', 'newQr'],
  CONNECTED: ['disconnect'],
  PAIRING: ['disconnect'],
  TIMEOUT: ['newQr', 'disconnect'],
  OPENING: ['clean'],
}

/** A greeting that offers queues requires a text (ERR_WAPP_GREETING_REQUIRED). */
export const greetingMissing = (queueIds: number[], greeting: string | null | undefined) =>
  queueIds.length > 1 && !greeting?.trim()
