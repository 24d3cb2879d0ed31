import { mentionChannel, type NoteMention } from '@balcao/contract/mentions.ts'
import { listen } from '../../platform/live.ts'
import { askAgain } from '../../platform/query.ts'
import { MENTIONS } from './mentions.api.ts'

/** The list is fetched again with each push; `onMentioned` announces a new one. */
export const followMentions = (onMentioned: (mention: NoteMention) => void) =>
  listen(mentionChannel, push => {
    void askAgain({ queryKey: MENTIONS })
    if (push.action === 'create') onMentioned(push.mention)
  })
