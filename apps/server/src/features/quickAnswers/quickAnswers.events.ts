import type { Push } from '@balcao/contract/kit.ts'
import type { quickAnswerChannel } from '@balcao/contract/quickAnswers.ts'
import { event } from '../../platform/events.ts'

export const quickAnswerChanged = event<Push<typeof quickAnswerChannel>>('quickAnswer.changed')
