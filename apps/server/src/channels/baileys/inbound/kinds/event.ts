import { eventFrom } from '../answers.ts'
import { kindOf } from './kind.ts'

export const eventKind = kindOf(
  ['eventMessage'],
  {
    name: 'event',
    bubble: 'name, time, place and who comes',
    words: 'name and description; exports also time, place and who comes',
    bot: 'name and description',
  },
  part => ({ mediaType: 'event', ...eventFrom(part) }),
)
