import type { Viewer } from '@balcao/contract/permissions.rules.ts'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { Refusal } from './errors.ts'

const ACCESS_MINUTES = 15

/** What the access token says. Rights are never in it: they are read from the database. */
export interface Claims {
  userId: number
  companyId: number
  sessionId: string
  /** Where a master looks into a company by a visit: `companyId` is the visited one, the rest his own. */
  visitId?: string
}

export interface Access {
  /** Good for 15 minutes, or until a moment. */
  sign(claims: Claims, until?: Date): Promise<string>
  /**
   * Who stands behind a bearer token. Refuses with ERR_NO_SESSION (none, forged, revoked) or
   * ERR_SESSION_EXPIRED (genuine but older than 15 minutes).
   */
  enter(token: string | undefined): Promise<{ viewer: Viewer; claims: Claims }>
  /** The viewer of a session as of at most FRESH_MS ago; null when session, user or company ended. */
  viewerOf(claims: Claims): Promise<Viewer | null>
  /** Forgets what is known of a user, so that the next call reads it again. */
  forget(userId: number): void
}

/** A demoted or deleted user is refused at the latest after this, in every process. */
const FRESH_MS = 3_000
const KEPT = 10_000

/** Who was found for one company, user and session is never handed to another that shares a part of that. */
const keyOf = ({ companyId, userId, sessionId, visitId = '' }: Claims) =>
  `${companyId} ${userId} ${sessionId} ${visitId}`

export function openAccess(secret: Uint8Array, load: (claims: Claims) => Promise<Viewer | null>): Access {
  const known = new LRUCache<string, { userId: number; viewer: Promise<Viewer | null> }>({
    max: KEPT,
    ttl: FRESH_MS,
  })
  const verified = new LRUCache<string, { claims: Claims; expires: number }>({ max: KEPT })

  async function verify(token: string): Promise<Claims> {
    const seen = verified.get(token)
    if (seen && seen.expires > Date.now()) return seen.claims
    const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], audience: 'access' })
    const claims = {
      userId: Number(payload.sub),
      companyId: Number(payload.company),
      sessionId: String(payload.sid),
      ...(typeof payload.visit === 'string' && { visitId: payload.visit }),
    }
    verified.set(token, { claims, expires: (payload.exp ?? 0) * 1000 })
    return claims
  }

  async function enter(token: string | undefined) {
    if (!token) throw new Refusal('ERR_NO_SESSION')
    const claims = await verify(token).catch(error => {
      throw new Refusal(error instanceof joseErrors.JWTExpired ? 'ERR_SESSION_EXPIRED' : 'ERR_NO_SESSION')
    })
    const viewer = await viewerOf(claims)
    if (!viewer) throw new Refusal('ERR_NO_SESSION')
    return { viewer, claims }
  }

  function viewerOf(claims: Claims) {
    const key = keyOf(claims)
    const entry = known.get(key)
    if (entry) return entry.viewer
    const viewer = load(claims)
    known.set(key, { userId: claims.userId, viewer })
    viewer.catch(() => known.delete(key))
    return viewer
  }

  return {
    sign: ({ userId, companyId, sessionId, visitId }, until) =>
      new SignJWT({ company: companyId, sid: sessionId, ...(visitId && { visit: visitId }) })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(String(userId))
        .setAudience('access')
        .setIssuedAt()
        .setExpirationTime(until ?? `${ACCESS_MINUTES}m`)
        .sign(secret),
    enter,
    viewerOf,
    forget(userId) {
      for (const [key, entry] of known) if (entry.userId === userId) known.delete(key)
    },
  }
}
