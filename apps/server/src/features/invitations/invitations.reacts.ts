import { within } from '../../platform/events.ts'
import { mailSettled } from '../mails/mails.events.ts'
import { authorizationLeaving } from '../permissions/permissions.events.ts'
import { belongingsAsked, userDeleting } from '../users/users.events.ts'
import { bequeathInvitations } from './invitations.actions.ts'
import { invitationChanged } from './invitations.events.ts'
import { clearAuthorization, invitationOfCause, invitedBy } from './invitations.queries.ts'

export const reacts = [
  within(authorizationLeaving, async (tx, { userAuthorizationId }) => {
    await clearAuthorization(tx, userAuthorizationId)
  }),
  within(userDeleting, (tx, { userId, heirId }) => bequeathInvitations(tx, userId, heirId)),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'invitations', ...(await invitedBy(tx, userId)) })
  }),
  within(mailSettled, async (tx, { cause }) => {
    const invitation = await invitationOfCause(tx, cause)
    if (invitation) tx.emit(invitationChanged, { action: 'update', invitation })
  }),
]
