import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { LoginInput, Session, SignupInput } from '@balcao/contract/auth.ts'
import type { z } from 'zod'
import type { Access } from '../../platform/access.ts'
import type { Sql } from '../../platform/db.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { hashPassword, passwordFits } from '../../platform/passwords.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { and, eq, ne } from '../../platform/sql.ts'
import { found } from '../companies/companies.actions.ts'
import { setting } from '../companies/companies.queries.ts'
import { addFirstAdmin } from '../users/users.found.ts'
import { sessionUser } from '../users/users.queries.ts'
import { accountByEmail, sessionByToken } from './auth.queries.ts'
import { sessions } from './auth.table.ts'

export const REFRESH_DAYS = 30

/** Two tabs that refresh at once both hold the same token: the second within this time is no thief. */
const GRACE_MS = 10_000

export interface Opened {
  session: Session
  refreshToken: string
}

/** Opens a session. One refusal for a wrong e-mail, a wrong password and an inactive company, in the same time (OP-41). */
export async function login(
  platform: PlatformScope,
  access: Access,
  { email, password }: z.output<typeof LoginInput>,
  from: { ip: string; userAgent: string },
): Promise<Opened> {
  const account = await platform.transaction(sql => accountByEmail(sql, email))
  const fits = await passwordFits(password, account?.passwordHash)
  if (!account || !fits || account.active !== 1) return refuse('ERR_INVALID_CREDENTIALS')
  const refreshToken = newToken()
  const sessionId = randomUUID()
  const { id: userId, companyId } = account
  return platform.transaction(async sql => {
    await sql.insert(sessions).values({
      id: sessionId,
      companyId,
      userId,
      tokenHash: hashOf(refreshToken),
      expiresAt: expiry(),
      ...from,
    })
    return { session: await answer(sql, access, { userId, companyId, sessionId }), refreshToken }
  })
}

/**
 * Trades a refresh token for the next one. A token that was traded before ends the whole session:
 * either its owner or a thief holds a copy, and nobody can tell which. Refuses with ERR_NO_SESSION.
 */
export async function refresh(
  platform: PlatformScope,
  access: Access,
  token: string | undefined,
): Promise<Opened> {
  if (!token) return refuse('ERR_NO_SESSION')
  const hash = hashOf(token)
  const opened = await platform.transaction(async sql => {
    const session = await sessionByToken(sql, hash)
    if (!session || Date.parse(session.expiresAt) < Date.now()) return null
    const reused = session.tokenHash !== hash
    if (reused && Date.now() - Date.parse(session.rotatedAt) > GRACE_MS) {
      await sql.delete(sessions).where(eq(sessions.id, session.id))
      return null
    }
    const refreshToken = newToken()
    const next = {
      tokenHash: hashOf(refreshToken),
      formerHash: hash,
      rotatedAt: new Date().toISOString(),
      expiresAt: expiry(),
    }
    await sql.update(sessions).set(next).where(eq(sessions.id, session.id))
    const { userId, companyId, id: sessionId } = session
    return { session: await answer(sql, access, { userId, companyId, sessionId }), refreshToken }
  })
  return opened ?? refuse('ERR_NO_SESSION')
}

export const logout = (platform: PlatformScope, sessionId: string) =>
  platform.transaction(sql => sql.delete(sessions).where(eq(sessions.id, sessionId)))

/** Ends every session of a user but the one kept. */
export async function endSessions(tx: Tx, userId: number, kept: string | null) {
  const others = kept === null ? undefined : ne(sessions.id, kept)
  await tx.sql
    .delete(sessions)
    .where(and(eq(sessions.companyId, tx.companyId), eq(sessions.userId, userId), others))
}

/** Makes a company with this account as its admin. Refuses with ERR_USER_CREATION_DISABLED, ERR_EMAIL_EXISTS. */
export async function signUp(
  platform: PlatformScope,
  { name, email, password }: z.output<typeof SignupInput>,
) {
  if ((await platform.transaction(sql => setting(sql, 'userCreation'))) === 'disabled')
    return refuse('ERR_USER_CREATION_DISABLED')
  const passwordHash = await hashPassword(password)
  try {
    return await platform.transaction(async sql => {
      const companyId = await found(sql, name, email)
      return addFirstAdmin(sql, { companyId, name, email, passwordHash })
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  }
}

async function answer(
  sql: Sql,
  access: Access,
  claims: { userId: number; companyId: number; sessionId: string },
) {
  return { token: await access.sign(claims), user: await sessionUser(sql, claims.companyId, claims.userId) }
}

const newToken = () => randomBytes(32).toString('base64url')
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
const expiry = () => new Date(Date.now() + REFRESH_DAYS * 86_400_000).toISOString()
