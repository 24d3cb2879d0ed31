import { auth } from '@balcao/contract/auth.ts'
import { serve, serveOpen } from '../../platform/http/routes.ts'
import {
  COOKIE,
  login,
  logout,
  refresh,
  shownDevice,
  shownSession,
  signUp,
  withCookie,
} from './auth.actions.ts'

export const routes = [
  serveOpen(
    auth.login,
    async (platform, { body }, visit) =>
      withCookie(visit, await login(platform, visit.platform, body, visit)),
    shownDevice,
  ),
  serveOpen(
    auth.refresh,
    async (platform, _input, visit) =>
      withCookie(visit, await refresh(platform, visit.platform, visit.cookie(COOKIE), visit)),
    shownSession,
  ),
  serve(auth.logout, async ({ viewer }, _input, visit) => {
    await logout(visit.platform.scopes.platform(), visit.sessionId!)
    visit.setCookie(COOKIE, null)
    await visit.platform.sockets.refresh(viewer!.id)
    return {}
  }),
  serveOpen(auth.signup, async (platform, { body }, visit) => {
    const user = await signUp(platform, body, visit)
    visit.platform.log.info({ userId: user.id }, 'a company signed up')
    return user
  }),
]
