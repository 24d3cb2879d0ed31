import { invitationChannel } from '@balcao/contract/invitations.ts'
import { followList } from '../../platform/lists.ts'

export const INVITATIONS = ['invitations']

export const followInvitations = (): (() => void) => followList(invitationChannel, INVITATIONS)
