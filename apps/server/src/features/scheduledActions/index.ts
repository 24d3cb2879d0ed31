import type { Feature } from '../../platform/features.ts'
import { jobs } from './scheduledActions.jobs.ts'
import { routes } from './scheduledActions.routes.ts'

export const scheduledActions: Feature = { name: 'scheduledActions', routes, jobs }
