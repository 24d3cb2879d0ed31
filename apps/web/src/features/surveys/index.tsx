import type { Feature } from '../../platform/features.ts'
import { followSurveys } from './surveys.live.ts'

export const surveys: Feature = { live: followSurveys }
