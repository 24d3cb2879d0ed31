import type { Feature } from '../../platform/features.ts'
import { live } from './quickAnswers.live.ts'
import { reacts } from './quickAnswers.reacts.ts'
import { routes } from './quickAnswers.routes.ts'

export const quickAnswers: Feature = { name: 'quickAnswers', routes, live, reacts }
