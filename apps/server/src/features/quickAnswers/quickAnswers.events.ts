import type { Push } from '@balcao/contract/kit.ts'
import type { AnswerOwner } from '@balcao/contract/quickAnswers.rules.ts'
import type { quickAnswerChannel } from '@balcao/contract/quickAnswers.ts'
import { event } from '../../platform/events.ts'

/** `before`: whose it was, where it was there. */
export const quickAnswerChanged = event<Push<typeof quickAnswerChannel> & { before?: AnswerOwner }>(
  'quickAnswer.changed',
)
