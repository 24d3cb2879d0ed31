import { kindOf } from './kind.ts'

export const groupInvite = kindOf(
  ['groupInviteMessage'],
  { name: 'invitation to a group', bubble: 'its text, else the name of the group' },
  part => ({ mediaType: 'groupInviteMessage', body: part.caption || part.groupName }),
)
