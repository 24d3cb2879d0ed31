import { hmacOf, isSigned, type SigningKeys } from '../../platform/access/signatures.ts'

/** The content of a refresh token: its session, and how often it was rotated before. */
export interface Generation {
  sessionId: string
  generation: number
}

/** Refresh tokens are signed, not stored: every token that a session ever had is recognised, and the newest can be sent again. */
export const tokenOf = (keys: SigningKeys, { sessionId, generation }: Generation) =>
  `${sessionId}.${generation}.${hmacOf(keys, `${sessionId}.${generation}`)}`

/** Null for an invalid signature. */
export function readToken(keys: SigningKeys, token: string): Generation | null {
  const [, sessionId, digits, signed] = FORM.exec(token) ?? []
  if (!sessionId || !digits || !signed) return null
  return isSigned(keys, `${sessionId}.${digits}`, signed) ? { sessionId, generation: Number(digits) } : null
}

const FORM = /^([0-9a-f-]{36})\.(0|[1-9]\d{0,8})\.([\w-]{43})$/
