import { createHmac, timingSafeEqual } from 'node:crypto'

/** The keys of one purpose: the newest signs; the others still verify, while a secret is rotated. */
export interface SigningKeys {
  signing: Uint8Array
  verifying: Uint8Array[]
}

/** HMAC-SHA-256, 43 characters. */
export const hmacOf = ({ signing }: SigningKeys, text: string): string => compute(signing, text)

/** Compares in constant time. */
export function isSigned({ verifying }: SigningKeys, text: string, signature: string): boolean {
  const given = Buffer.from(signature)
  return verifying.some(key => {
    const wanted = Buffer.from(compute(key, text))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}

const compute = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('base64url')
