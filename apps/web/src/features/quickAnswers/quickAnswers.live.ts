import { quickAnswerChannel } from '@balcao/contract/quickAnswers.ts'
import { followList } from '../../platform/lists.ts'

export const QUICK_ANSWERS = ['quickAnswers']

export const followQuickAnswers = () => followList(quickAnswerChannel, QUICK_ANSWERS)
