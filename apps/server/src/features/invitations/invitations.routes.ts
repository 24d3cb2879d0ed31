import { invitations } from '@balcao/contract/invitations.ts'
import { serve, serveOpen } from '../../platform/http/routes.ts'
import { withCookie } from '../auth/auth.actions.ts'
import { acceptInvitation, followLink, invite, sendInvitationAgain, withdraw } from './invitations.actions.ts'
import { listInvitations } from './invitations.queries.ts'

export const routes = [
  serve(invitations.list, scope => listInvitations(scope)),
  serve(invitations.create, (scope, { body }, { platform }) => invite(scope, platform, body)),
  serve(invitations.resend, (scope, { params }, { platform }) =>
    sendInvitationAgain(scope, platform, params.invitationId),
  ),
  serve(invitations.withdraw, async (scope, { params }) => {
    await withdraw(scope, params.invitationId)
    return {}
  }),
  serveOpen(invitations.look, async (platform, { body }, visit) => {
    const { invitation, companyName } = await followLink(platform, visit.platform, body.token)
    return { ...invitation, companyName }
  }),
  serveOpen(invitations.accept, async (platform, { body }, visit) =>
    withCookie(visit, await acceptInvitation(platform, visit.platform, body, visit)),
  ),
]
