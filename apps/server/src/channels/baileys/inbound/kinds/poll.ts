import type { PollData } from '@balcao/contract/kinds.ts'
import { pollFrom } from '../answers.ts'
import { kindOf } from './kind.ts'

export const pollKind = kindOf(
  ['pollCreationMessage', 'pollCreationMessageV2', 'pollCreationMessageV3', 'pollCreationMessageV5'],
  {
    name: 'poll',
    bubble: 'question and choices, with who voted',
    words: 'the question; exports also the votes',
    bot: 'the question',
  },
  part => ({ mediaType: 'poll', body: part.name, data: pollFrom(part) satisfies PollData }),
)
