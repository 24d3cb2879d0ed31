import { pinOf } from '../chat-events.ts'
import { kindOf } from './kind.ts'

export const pinKind = kindOf(
  ['pinInChatMessage'],
  {
    name: 'pinned message',
    bubble: 'a line that says who pinned it',
    preview: 'unchanged',
    words: '–',
    bot: 'nothing',
  },
  part => pinOf(part) ?? { mediaType: 'pinInChatMessage' },
)
