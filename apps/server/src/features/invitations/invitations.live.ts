import { invitationChannel } from '@balcao/contract/invitations.ts'
import { admins, publish } from '../../platform/live/live.ts'
import { invitationChanged } from './invitations.events.ts'

export const live = [
  publish(invitationChanged, (companyId, change, push) => push(invitationChannel, admins(companyId), change)),
]
