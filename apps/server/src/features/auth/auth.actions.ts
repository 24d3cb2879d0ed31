import { randomUUID } from 'node:crypto'
import type { LoginInput, Session, SignupInput } from '@balcao/contract/auth.ts'
import type { z } from 'zod'
import type { Platform } from '../../platform/app.ts'
import type { Sql } from '../../platform/db.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { hashPassword, passwordFits } from '../../platform/passwords.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { and, eq, ne } from '../../platform/sql.ts'
import { createCompany } from '../companies/companies.actions.ts'
import { signUpIsOpen } from '../companies/companies.queries.ts'
import { addFirstAdmin } from '../users/users.first.ts'
import { findUser } from '../users/users.queries.ts'
import { accountByEmail, livingSession, type SessionRow } from './auth.queries.ts'
import { sessions } from './auth.table.ts'
import { readToken, tokenOf } from './auth.tokens.ts'

export const REFRESH_DAYS = 30

/** Within this time after a trade the former token may be the one of somebody whose answer was lost. */
const GRACE_MS = 10_000

export interface OpenedSession {
  session: Session
  refreshToken: string
}

/** What tokens are signed with. */
type Keys = Pick<Platform, 'access' | 'secrets'>

/** Who holds a token. */
export interface Client {
  ip: string
  userAgent: string
}

/** Opens a session. One refusal for a wrong e-mail, a wrong password and an inactive company, in the same time (OP-41). */
export async function login(
  platform: PlatformScope,
  keys: Keys,
  { email, password }: z.output<typeof LoginInput>,
  client: Client,
): Promise<OpenedSession> {
  const account = await platform.transaction(sql => accountByEmail(sql, email))
  const fits = await passwordFits(password, account?.passwordHash, client.ip)
  if (!account || !fits || account.active !== 1) return refuse('ERR_INVALID_CREDENTIALS')
  return openSession(platform, keys, { userId: account.id, companyId: account.companyId }, client)
}

/** Opens a session of somebody who has shown that he is this user. */
export const openSession = (
  platform: PlatformScope,
  keys: Keys,
  { userId, companyId }: { userId: number; companyId: number },
  { ip, userAgent }: Client,
): Promise<OpenedSession> =>
  platform.transaction(async sql => {
    const [session] = await sql
      .insert(sessions)
      .values({ id: randomUUID(), companyId, userId, expiresAt: expiry(), ip, userAgent })
      .returning()
    return answer(sql, keys, session!)
  })

/**
 * Trades a refresh token for the next one. Any that was traded before ends the whole session: either its owner or a
 * thief holds a copy, and nobody can tell which. But the one just before, once and from the same client, is that of
 * somebody who never got the answer: it is given again. Refuses with ERR_NO_SESSION.
 */
export async function refresh(
  platform: PlatformScope,
  keys: Keys,
  token: string | undefined,
  client: Client,
): Promise<OpenedSession> {
  const held = token ? readToken(keys.secrets.refresh, token) : null
  if (!held) return refuse('ERR_NO_SESSION')
  const opened = await platform.transaction(async sql => {
    const session = await livingSession(sql, held.sessionId)
    if (!session) return null
    if (held.generation === session.generation) return answer(sql, keys, await trade(sql, session, client))
    if (lostAnswer(session, held.generation, client)) return answer(sql, keys, await repeat(sql, session))
    await sql.delete(sessions).where(eq(sessions.id, session.id))
    return null
  })
  return opened ?? refuse('ERR_NO_SESSION')
}

const lostAnswer = (session: SessionRow, generation: number, { ip, userAgent }: Client) =>
  generation === session.generation - 1 &&
  !session.isRepeated &&
  Date.now() - Date.parse(session.rotatedAt) <= GRACE_MS &&
  session.userAgent === userAgent &&
  session.ip === ip

const trade = (sql: Sql, { id, generation }: SessionRow, { ip, userAgent }: Client) =>
  changed(sql, id, {
    generation: generation + 1,
    rotatedAt: new Date().toISOString(),
    isRepeated: false,
    expiresAt: expiry(),
    ip,
    userAgent,
  })

const repeat = (sql: Sql, { id }: SessionRow) => changed(sql, id, { isRepeated: true })

async function changed(sql: Sql, id: string, to: Partial<SessionRow>) {
  const [session] = await sql.update(sessions).set(to).where(eq(sessions.id, id)).returning()
  return session!
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
  from: { ip: string },
) {
  if (!(await platform.transaction(signUpIsOpen))) return refuse('ERR_USER_CREATION_DISABLED')
  const passwordHash = await hashPassword(password, from.ip)
  try {
    return await platform.transaction(async sql => {
      const companyId = await createCompany(sql, { name, email })
      return addFirstAdmin(sql, { companyId, name, email, passwordHash })
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  }
}

async function answer(
  sql: Sql,
  { access, secrets }: Keys,
  { id: sessionId, generation, userId, companyId }: SessionRow,
): Promise<OpenedSession> {
  return {
    session: {
      token: await access.sign({ userId, companyId, sessionId }),
      user: await findUser(sql, companyId, userId),
    },
    refreshToken: tokenOf(secrets.refresh, { sessionId, generation }),
  }
}

const expiry = () => new Date(Date.now() + REFRESH_DAYS * 86_400_000).toISOString()
