import { surveyChannel } from '@balcao/contract/surveys.ts'
import { followList } from '../../platform/lists.ts'

export const SURVEYS = ['surveys']

export const followSurveys = () => followList(surveyChannel, SURVEYS)
