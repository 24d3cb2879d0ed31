import type { invitationChannel } from '@balcao/contract/invitations.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const invitationChanged = event<Push<typeof invitationChannel>>('invitation.changed')
