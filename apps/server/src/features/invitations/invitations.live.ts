import { invitationChannel } from '@balcao/contract/invitations.ts'
import { admins, publish } from '../../platform/live.ts'
import { invitationChanged } from './invitations.events.ts'

export const live = [
  publish(invitationChanged, (companyId, news, push) => push(invitationChannel, admins(companyId), news)),
]
