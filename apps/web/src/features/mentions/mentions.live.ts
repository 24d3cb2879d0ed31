import { mentionChannel } from '@balcao/contract/mentions.ts'
import { listen } from '../../platform/live.ts'
import { askAgain } from '../../platform/query.ts'
import { type Announced, announceMention } from './announce.ts'
import { MENTIONS } from './mentions.api.ts'

/** The list is fetched again with each push; a new one is announced. */
export const followMentions = (announced: () => Announced) =>
  listen(mentionChannel, push => {
    void askAgain({ queryKey: MENTIONS })
    if (push.action === 'create') announceMention(push.mention, announced())
  })
