import { accounts } from '@balcao/contract/accounts.ts'
import { refuse } from '../../platform/errors.ts'
import { NO_COMPANY } from '../../platform/jobs.ts'
import { serve, serveOpen } from '../../platform/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { accountByEmail } from '../auth/auth.queries.ts'
import { changeEmail, changePassword, confirmEmail, resetPassword } from './accounts.actions.ts'
import { forgotten } from './accounts.jobs.ts'
import { sessionsOf } from './accounts.queries.ts'
import { endOtherSessions, endOwnSession } from './accounts.sessions.ts'

export const routes = [
  // the same statements whoever asks for whom: what differs happens later, and nobody waits for it
  serveOpen(accounts.forgot, async (platform, { body }, { platform: { mail, jobs } }) => {
    if (!mail.isSetUp) refuse('ERR_NO_MAIL')
    const { email, language = 'ptBR' } = body
    await platform.transaction(async sql => {
      const account = await accountByEmail(sql, email)
      const mayEnter = account?.active === 1 ? account : null
      const data = { userId: mayEnter?.id ?? null, language }
      await jobs.enqueue(sql, mayEnter?.companyId ?? NO_COMPANY, forgotten, data)
    })
    return {}
  }),
  serveOpen(accounts.reset, async (platform, { body }, visit) => ({
    email: await resetPassword(platform, visit.platform, body, visit.ip),
  })),
  serve(accounts.changePassword, async (scope, { body }, { sessionId }) => {
    await changePassword(scope, body, sessionId)
    return {}
  }),
  serve(accounts.changeEmail, async (scope, { body }, { platform }) => ({
    isChanged: await changeEmail(scope, body, platform),
  })),
  serveOpen(accounts.confirmEmail, async (platform, { body }, visit) => ({
    email: await confirmEmail(platform, visit.platform, body.token),
  })),
  serve(accounts.sessions, (scope, _input, { sessionId }) =>
    sessionsOf(scope, viewerOf(scope).id, sessionId),
  ),
  serve(accounts.endSession, async (scope, { params }) => {
    await endOwnSession(scope, params.sessionId)
    return {}
  }),
  serve(accounts.endOtherSessions, async (scope, _input, { sessionId }) => {
    await endOtherSessions(scope, sessionId!)
    return {}
  }),
]
