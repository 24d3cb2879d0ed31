import type { Visit } from '../../platform/routes.ts'
import { type OpenedSession, REFRESH_DAYS } from './auth.actions.ts'

export const COOKIE = 'balcao_refresh'

/** The session, whose refresh token goes into its cookie. */
export const withCookie = (visit: Visit, { session, refreshToken }: OpenedSession) => {
  visit.setCookie(COOKIE, refreshToken, REFRESH_DAYS * 86_400)
  return session
}
