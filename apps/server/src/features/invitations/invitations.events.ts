import type { invitationChannel } from '@balcao/contract/invitations.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

/** Somebody was invited, his letter left, or he accepted or is not wanted any more. */
export const invitationChanged = event<Push<typeof invitationChannel>>('invitation.changed')
