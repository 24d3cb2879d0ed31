import type { Feature } from '../../platform/features.ts'
import { processFigures } from './systemControl.figures.queries.ts'
import { countMessages } from './systemControl.jobs.ts'
import { routes } from './systemControl.routes.ts'

export const systemControl: Feature = { name: 'systemControl', routes, jobs: [processFigures, countMessages] }
