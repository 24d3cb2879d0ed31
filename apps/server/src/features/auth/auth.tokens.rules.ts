import { createHmac, timingSafeEqual } from 'node:crypto'

/** The content of a refresh token: its session, and how often it was rotated before. */
export interface Generation {
  sessionId: string
  generation: number
}

/** Refresh tokens are signed, not stored: every token that a session ever had is recognised, and the newest can be sent again. */
export const tokenOf = (key: Uint8Array, { sessionId, generation }: Generation) =>
  `${sessionId}.${generation}.${signature(key, sessionId, generation)}`

/** Null for an invalid signature. */
export function readToken(key: Uint8Array, token: string): Generation | null {
  const [, sessionId, digits, signed] = FORM.exec(token) ?? []
  if (!sessionId || !digits || !signed) return null
  const generation = Number(digits)
  const wanted = Buffer.from(signature(key, sessionId, generation))
  const given = Buffer.from(signed)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? { sessionId, generation } : null
}

const FORM = /^([0-9a-f-]{36})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/

const signature = (key: Uint8Array, sessionId: string, generation: number) =>
  createHmac('sha256', key).update(`${sessionId}.${generation}`).digest('base64url')
