import type { GroupInviteData } from '@balcao/contract/kinds.ts'
import { LAST_SECOND } from '../../../../platform/clock.ts'
import { countFrom, lineFrom, textFrom } from '../text.ts'
import { kindOf } from './kind.ts'

export const groupInviteKind = kindOf(
  ['groupInviteMessage'],
  {
    name: 'invitation to a group',
    bubble: 'a card with the name of the group, and until when it may be joined',
    words: 'its text and the name of the group',
  },
  part => {
    const seconds = countFrom(part.inviteExpiration, LAST_SECOND)
    const data: GroupInviteData = {
      name: lineFrom(part.groupName),
      note: textFrom(part.caption, 2_000),
      until: seconds ? new Date(seconds * 1_000).toISOString() : null,
    }
    return { mediaType: 'groupInviteMessage', body: [data.note, data.name].filter(Boolean).join('\n'), data }
  },
)
