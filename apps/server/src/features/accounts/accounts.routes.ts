import { accounts } from '@balcao/contract/accounts.ts'
import { refuse } from '../../platform/errors.ts'
import { serve, serveOpen } from '../../platform/http/routes.ts'
import { viewerOf } from '../../platform/scope.ts'
import { NO_COMPANY } from '../../platform/work/job-queues.ts'
import { rememberDevice } from '../auth/auth.actions.ts'
import { accountByEmail } from '../auth/auth.queries.ts'
import {
  changeEmail,
  changePassword,
  confirmEmail,
  endOtherSessions,
  endOwnSession,
  resetPassword,
} from './accounts.actions.ts'
import { forgotten } from './accounts.jobs.ts'
import { sessionsOf } from './accounts.queries.ts'

export const routes = [
  // the same statements whether the account exists or not: the letter is sent by a job
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
  serveOpen(accounts.reset, async (platform, { body }, visit) => {
    const { userId, email } = await resetPassword(platform, visit.platform, body)
    rememberDevice(visit, userId)
    return { email }
  }),
  serve(accounts.changePassword, async (scope, { body }, visit) => {
    await changePassword(scope, body, visit)
    rememberDevice(visit, viewerOf(scope).id)
    return {}
  }),
  serve(accounts.changeEmail, async (scope, { body }, visit) => ({
    isChanged: await changeEmail(scope, body, visit),
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
