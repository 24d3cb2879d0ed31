import { quickAnswerChannel } from '@balcao/contract/quickAnswers.ts'
import { followList } from '../../platform/lists.ts'
import { QUICK_ANSWERS } from './quickAnswers.api.ts'

export const followQuickAnswers = () => followList(quickAnswerChannel, QUICK_ANSWERS)
