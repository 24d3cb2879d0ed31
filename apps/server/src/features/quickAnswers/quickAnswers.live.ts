import { quickAnswerChannel } from '@balcao/contract/quickAnswers.ts'
import { pushList } from '../../platform/live/live.ts'
import { quickAnswerChanged } from './quickAnswers.events.ts'

export const live = [pushList(quickAnswerChannel, quickAnswerChanged)]
