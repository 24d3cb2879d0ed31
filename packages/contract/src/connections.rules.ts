import { troublesOf } from './cloud.standing.rules.ts'
import type { Connection, ConnectionStatus } from './connections.ts'

/** Every state but CONNECTED is marked in the menu, and a number of the official API that Meta complains about. */
export const needsAttention = (
  { status, cloud }: Pick<Connection, 'status' | 'cloud'>,
  now: number,
): boolean => status !== 'CONNECTED' || (cloud !== null && troublesOf(cloud.health, now).length > 0)

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
