/**
 * Access: who calls. `access.ts` signs and checks session tokens and caches viewers for seconds, `passwords.ts` hashes,
 * `secrets.ts` derives every key from one secret and seals what is stored per company, `links.ts` signs links of e-mails.
 * Rights never come from a token: they are read from the database, so that a change counts within `FRESH_MS` everywhere.
 */
import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { databaseDate, databaseNow } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { SigningKeys } from './signatures.ts'

const ACCESS_MINUTES = 15

/** The content of an access token. */
export interface Claims {
  userId: number
  companyId: number
  sessionId: string
  /** During a visit of a master: `companyId` is the visited company, the other ids are the master's. */
  visitId?: string
}

export interface Access {
  /** Valid for 15 minutes, or until a moment. */
  sign(claims: Claims, until?: Date): Promise<string>
  /**
   * The viewer of a bearer token. Refuses with ERR_NO_SESSION (none, forged, revoked) or ERR_SESSION_EXPIRED (genuine but
   * older than 15 minutes).
   */
  enter(token: string | undefined): Promise<{ viewer: Viewer; claims: Claims }>
  /** The viewer of a session as of at most FRESH_MS ago; null when session, user or company ended. */
  viewerOf(claims: Claims): Promise<Viewer | null>
  /** The same for many, in their order, by one query. */
  viewersOf(asked: Claims[]): Promise<(Viewer | null)[]>
  /** Drops a user from the cache: the next call reads it again. */
  forget(userId: number): void
}

/** A demoted or deleted user is refused at the latest after this time, in every process. */
const FRESH_MS = 3_000
const KEPT = 10_000

/** Company, user, session and visit together: a viewer is never reused for claims that share only a part. */
const keyOf = ({ companyId, userId, sessionId, visitId = '' }: Claims) =>
  `${companyId} ${userId} ${sessionId} ${visitId}`

export function openAccess(keys: SigningKeys, load: (asked: Claims[]) => Promise<(Viewer | null)[]>): Access {
  const verify = verifier(keys)
  const viewers = viewerCache(load)
  const viewerOf = async (claims: Claims) => (await viewers.of([claims]))[0]!
  return {
    sign: ({ userId, companyId, sessionId, visitId }, until) =>
      new SignJWT({ company: companyId, sid: sessionId, ...(visitId && { visit: visitId }) })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(String(userId))
        .setAudience('access')
        .setIssuedAt(databaseDate())
        .setExpirationTime(until ?? new Date(databaseNow() + ACCESS_MINUTES * 60_000))
        .sign(keys.signing),
    async enter(token) {
      if (!token) throw new Refusal('ERR_NO_SESSION')
      const claims = await verify(token).catch(error => {
        throw new Refusal(error instanceof joseErrors.JWTExpired ? 'ERR_SESSION_EXPIRED' : 'ERR_NO_SESSION')
      })
      const viewer = await viewerOf(claims)
      if (!viewer) throw new Refusal('ERR_NO_SESSION')
      return { viewer, claims }
    },
    viewerOf,
    viewersOf: viewers.of,
    forget: viewers.forget,
  }
}

/** Checks tokens; one that was checked before is known until it expires. */
function verifier({ verifying }: SigningKeys) {
  const verified = new LRUCache<string, { claims: Claims; expires: number }>({ max: KEPT })
  return async (token: string): Promise<Claims> => {
    const seen = verified.get(token)
    if (seen && seen.expires > databaseNow()) return seen.claims
    const payload = await verifyWithAny(token, verifying)
    const claims = {
      userId: Number(payload.sub),
      companyId: Number(payload.company),
      sessionId: String(payload.sid),
      ...(typeof payload.visit === 'string' && { visitId: payload.visit }),
    }
    verified.set(token, { claims, expires: (payload.exp ?? 0) * 1000 })
    return claims
  }
}

/** Throws what the last key says of it. */
async function verifyWithAny(token: string, [key, ...others]: Uint8Array[]): Promise<JWTPayload> {
  try {
    const expected = { algorithms: ['HS256'], audience: 'access', currentDate: databaseDate() }
    return (await jwtVerify(token, key!, expected)).payload
  } catch (error) {
    if (others.length > 0 && error instanceof joseErrors.JWSSignatureVerificationFailed)
      return verifyWithAny(token, others)
    throw error
  }
}

function viewerCache(load: (asked: Claims[]) => Promise<(Viewer | null)[]>) {
  const known = new LRUCache<string, { userId: number; viewer: Promise<Viewer | null> }>({
    max: KEPT,
    ttl: FRESH_MS,
  })
  return {
    of(asked: Claims[]) {
      const missing = asked.filter(claims => !known.has(keyOf(claims)))
      const loaded = missing.length > 0 ? load(missing) : null
      for (const [at, claims] of missing.entries()) {
        const key = keyOf(claims)
        const viewer = loaded!.then(all => all[at] ?? null)
        known.set(key, { userId: claims.userId, viewer })
        viewer.catch(() => known.delete(key))
      }
      return Promise.all(asked.map(claims => known.get(keyOf(claims))!.viewer))
    },
    forget(userId: number) {
      for (const [key, entry] of known) if (entry.userId === userId) known.delete(key)
    },
  }
}
