import { within } from '../../platform/events.ts'
import { mailSettled } from '../mails/mails.events.ts'
import { authorizationLeaving } from '../permissions/permissions.events.ts'
import { detachAuthorization } from './invitations.actions.ts'
import { invitationChanged } from './invitations.events.ts'
import { invitationOfCause } from './invitations.queries.ts'

export const reacts = [
  within(authorizationLeaving, (tx, { userAuthorizationId }) => detachAuthorization(tx, userAuthorizationId)),
  within(mailSettled, async (tx, { cause }) => {
    const invitation = await invitationOfCause(tx, cause)
    if (invitation) tx.emit(invitationChanged, { action: 'update', invitation })
  }),
]
