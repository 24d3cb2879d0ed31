import type { PollData } from '@balcao/contract/kinds.ts'
import { POLL_FIELDS, pollFrom } from '../answers.ts'
import { kindOf } from './kind.ts'

export const pollKind = kindOf(
  [...POLL_FIELDS],
  {
    name: 'poll',
    bubble: 'question and choices, with who voted',
    words: 'the question; exports also the votes',
    bot: 'the question',
  },
  part => ({ mediaType: 'poll', body: part.name, data: pollFrom(part) satisfies PollData }),
)
