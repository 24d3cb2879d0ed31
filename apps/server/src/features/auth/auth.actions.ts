import { randomUUID } from 'node:crypto'
import type { LoginInput, Session, SignupInput } from '@balcao/contract/auth.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'
import { viewerFrom } from '@balcao/contract/permissions.rules.ts'
import type { z } from 'zod'
import { hashNewPassword, passwordFits, strangerAt } from '../../platform/access/passwords.ts'
import { hmacOf } from '../../platform/access/signatures.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseNow, databaseTime } from '../../platform/clock.ts'
import { isUniqueViolation, refuse } from '../../platform/errors.ts'
import { neighbourhoodOf } from '../../platform/http/rate-limits.ts'
import type { Visit } from '../../platform/http/routes.ts'
import type { Sql } from '../../platform/postgres/db.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { createCompany } from '../companies/companies.actions.ts'
import { standardPlan } from '../companies/companies.queries.ts'
import { signUpIsOpen } from '../companies/companies.settings.queries.ts'
import { addFirstAdmin, findUser } from '../users/users.queries.ts'
import { readBy } from '../users/users.rules.ts'
import { cookieWith, DEVICE_COOKIE, DEVICE_DAYS, deviceOf, devicesIn } from './auth.devices.rules.ts'
import {
  accountByEmail,
  deleteSession,
  holdCredentials,
  insertSession,
  lockLoginSession,
  type SessionRow,
  updateLoginSession,
} from './auth.queries.ts'
import { readToken, tokenOf } from './auth.tokens.rules.ts'
import { fromDevice, fromNetwork, refuseGuess, settleGuess } from './auth.tries.queries.ts'

const REFRESH_DAYS = 30

/** Within this time after a rotation the previous token is accepted once: the response may have been lost. */
const GRACE_MS = 10_000

export interface OpenedSession {
  session: Session
  refreshToken: string
}

type Keys = Pick<Platform, 'access' | 'secrets'>

export interface Client {
  ip: string
  userAgent: string
}

/**
 * Opens a session. A wrong e-mail and a wrong password are refused alike, in the same time (OP-41); ERR_COMPANY_OFF with the
 * right password of a company that is switched off, ERR_USER_RESTING of a user that rests, ERR_OUTSIDE_LOGIN_HOURS; ERR_TOO_MANY_REQUESTS after too many failures from unknown devices. Failures are
 * logged for whoever guards the installation.
 */
export async function login(
  platform: PlatformScope,
  keys: Keys & Pick<Platform, 'log'>,
  { email, password }: z.output<typeof LoginInput>,
  client: Client & Pick<Visit, 'cookie'>,
): Promise<OpenedSession> {
  const devices = devicesIn(keys.secrets.refresh, client.cookie(DEVICE_COOKIE))
  const failed = (userId: number | null, code: ErrorCode) => {
    const account = userId ? { userId } : { account: nameOf(keys, email) }
    keys.log.warn({ ...account, ip: client.ip, code }, 'a login failed')
  }
  const { account, what } = await platform.transaction(async sql => {
    const found = await accountByEmail(sql, email)
    const device = found && deviceOf(devices, found.id, found.credentialsAt)
    const guessed = device ? fromDevice(device.name) : fromNetwork(email, neighbourhoodOf(client.ip))
    await refuseGuess(sql, guessed).catch(error => {
      failed(found?.id ?? null, 'ERR_TOO_MANY_REQUESTS')
      throw error
    })
    return { account: found, what: guessed }
  })
  const by = what.account === null ? what.from : strangerAt(client.ip)
  const fits = await passwordFits(platform, password, account?.passwordHash, by)
  const known = fits ? account : null
  await platform.transaction(sql => settleGuess(sql, what, { isRight: known !== null }))
  if (!known) {
    failed(account?.id ?? null, 'ERR_INVALID_CREDENTIALS')
    return refuse('ERR_INVALID_CREDENTIALS')
  }
  if (known.active !== 1) return refuse('ERR_COMPANY_OFF')
  if (known.restingSince !== null) return refuse('ERR_USER_RESTING')
  if (known.isLockedOut) return refuse('ERR_OUTSIDE_LOGIN_HOURS')
  const { id: userId, companyId } = known
  return openSession(platform, keys, { userId, companyId }, client, async sql => {
    // the password may have changed during the check
    if (!(await holdCredentials(sql, known))) refuse('ERR_INVALID_CREDENTIALS')
  })
}

/** Names what was typed as an address, without it: the tries of one address have the same name. */
const nameOf = ({ secrets }: Keys, email: string) =>
  cut(hmacOf(secrets.refresh, `a failed login ${email.toLowerCase()}`), 12)

/** Opens a session of an authenticated user; `check` runs in the same transaction. */
export const openSession = (
  platform: PlatformScope,
  keys: Keys,
  { userId, companyId }: { userId: number; companyId: number },
  { ip, userAgent }: Client,
  check: (sql: Sql) => Promise<void> = async () => {},
): Promise<OpenedSession> =>
  platform.transaction(async sql => {
    await check(sql)
    const fields = { id: randomUUID(), companyId, userId, expiresAt: expiry(), ip, userAgent }
    return opened(sql, keys, await insertSession(sql, fields))
  })

/**
 * Rotates a refresh token. Reuse of an older token ends the session, since a copy may be stolen; but the previous one is
 * accepted once from the same client within GRACE_MS. Refuses with ERR_NO_SESSION.
 */
export async function refresh(
  platform: PlatformScope,
  keys: Keys,
  token: string | undefined,
  client: Client,
): Promise<OpenedSession> {
  const held = token ? readToken(keys.secrets.refresh, token) : null
  if (!held) return refuse('ERR_NO_SESSION')
  const next = await platform.transaction(async sql => {
    const session = await lockLoginSession(sql, held.sessionId)
    if (!session) return null
    if (held.generation === session.generation) return opened(sql, keys, await rotate(sql, session, client))
    if (mayRepeat(session, held.generation, client)) return opened(sql, keys, await repeat(sql, session))
    await deleteSession(sql, session.id)
    return null
  })
  return next ?? refuse('ERR_NO_SESSION')
}

const mayRepeat = (session: SessionRow, generation: number, { ip, userAgent }: Client) =>
  generation === session.generation - 1 &&
  !session.isRepeated &&
  databaseNow() - Date.parse(session.rotatedAt) <= GRACE_MS &&
  session.userAgent === userAgent &&
  session.ip === ip

const rotate = (sql: Sql, { id, generation }: SessionRow, { ip, userAgent }: Client) =>
  updateLoginSession(sql, id, {
    generation: generation + 1,
    rotatedAt: databaseTime(),
    isRepeated: false,
    expiresAt: expiry(),
    ip,
    userAgent,
  })

const repeat = (sql: Sql, { id }: SessionRow) => updateLoginSession(sql, id, { isRepeated: true })

export const logout = (platform: PlatformScope, sessionId: string) =>
  platform.transaction(sql => deleteSession(sql, sessionId))

/**
 * Adds a company with this account as its admin. Refuses with ERR_USER_CREATION_DISABLED, ERR_EMAIL_EXISTS, and with
 * ERR_NO_PLAN_FOUND where the plan of new companies is not offered.
 */
export async function signUp(
  platform: PlatformScope,
  { name, companyName = name, email, password }: z.output<typeof SignupInput>,
  from: { ip: string },
) {
  if (!(await platform.transaction(signUpIsOpen))) return refuse('ERR_USER_CREATION_DISABLED')
  if (!(await platform.transaction(standardPlan))?.status) return refuse('ERR_NO_PLAN_FOUND')
  const passwordHash = await hashNewPassword(platform, password, strangerAt(from.ip))
  try {
    return await platform.transaction(async sql => {
      const companyId = await createCompany(sql, { name: companyName, email })
      return addFirstAdmin(sql, { companyId, name, email, passwordHash })
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) return refuse('ERR_EMAIL_EXISTS', { field: 'email' })
    throw error
  }
}

async function opened(
  sql: Sql,
  { access, secrets }: Keys,
  { id: sessionId, generation, userId, companyId }: SessionRow,
): Promise<OpenedSession> {
  const user = await findUser(sql, companyId, userId)
  return {
    session: {
      token: await access.sign({ userId, companyId, sessionId }),
      user: readBy(viewerFrom(user), user),
    },
    refreshToken: tokenOf(secrets.refresh, { sessionId, generation }),
  }
}

const expiry = () => new Date(databaseNow() + REFRESH_DAYS * 86_400_000).toISOString()

export const COOKIE = 'balcao_refresh'

/** The users who logged in on this device before: their failures here are counted by themselves. */
export function shownDevice({ platform, cookie }: Visit): string | null {
  const [device] = devicesIn(platform.secrets.refresh, cookie(DEVICE_COOKIE))
  // not by the device: whoever has an account could make devices without end
  return device ? `a device of user ${device.userId}` : null
}

/** The session whose refresh token this is, also when it is an old one. */
export function shownSession({ platform, cookie }: Visit): string | null {
  const held = readToken(platform.secrets.refresh, cookie(COOKIE) ?? '')
  return held ? `session ${held.sessionId}` : null
}

/** Sets the cookies of a session: its refresh token and the device. Returns the session. */
export const withCookie = (visit: Visit, { session, refreshToken }: OpenedSession) => {
  visit.setCookie(COOKIE, refreshToken, REFRESH_DAYS * 86_400)
  rememberDevice(visit, session.user.id)
  return session
}

/** Failures from other devices do not lock this one out. */
export function rememberDevice(visit: Visit, userId: number) {
  const cookie = cookieWith(visit.platform.secrets.refresh, visit.cookie(DEVICE_COOKIE), userId)
  visit.setCookie(DEVICE_COOKIE, cookie, DEVICE_DAYS * 86_400)
}
