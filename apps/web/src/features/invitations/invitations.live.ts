import { invitationChannel } from '@balcao/contract/invitations.ts'
import { followList } from '../../platform/lists.ts'
import { INVITATIONS } from './invitations.api.ts'

export const followInvitations = (): (() => void) => followList(invitationChannel, INVITATIONS)
