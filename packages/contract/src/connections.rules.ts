import { troublesOf } from './cloud.standing.rules.ts'
import type { Connection, ConnectionStatus } from './connections.ts'

/** Every state but CONNECTED is marked in the menu, a restricted number, and one of the official API that Meta complains about. */
export const needsAttention = (
  { status, restrictedUntil, cloud }: Pick<Connection, 'status' | 'restrictedUntil' | 'cloud'>,
  now: number,
): boolean =>
  status !== 'CONNECTED' ||
  isRestricted({ restrictedUntil }, now) ||
  (cloud !== null && troublesOf(cloud.health, now).length > 0)

/** Whether WhatsApp refuses the number first messages to people who never wrote to it. */
export const isRestricted = (
  { restrictedUntil }: Pick<Connection, 'restrictedUntil'>,
  now: number,
): boolean => restrictedUntil !== null && Date.parse(restrictedUntil) > now

export type SessionAction = 'showQr' | 'retry' | 'newQr' | 'disconnect' | 'clean'

/** What an admin can do in each state; OPENING can only be cleaned. */
export const sessionActions: Record<ConnectionStatus, SessionAction[]> = {
  qrcode: ['showQr', 'disconnect'],
  DISCONNECTED: ['retry', 'newQr'],
  CONNECTED: ['disconnect'],
  PAIRING: ['disconnect'],
  REMOVING: [],
  TIMEOUT: ['newQr', 'disconnect'],
  OPENING: ['clean'],
}

/** A greeting that offers queues requires a text (ERR_WAPP_GREETING_REQUIRED). */
export const greetingMissing = (queueIds: number[], greeting: string | null | undefined) =>
  queueIds.length > 1 && !greeting?.trim()
