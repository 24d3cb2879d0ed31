import type { Feature } from '../../platform/features.ts'
import { jobs } from './messageLogs.jobs.ts'
import { live } from './messageLogs.live.ts'
import { routes } from './messageLogs.routes.ts'

export const messageLogs: Feature = { name: 'messageLogs', routes, live, jobs }
