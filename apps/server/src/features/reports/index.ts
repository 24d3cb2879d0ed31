import type { Feature } from '../../platform/features.ts'
import { jobs } from './reports.jobs.ts'
import { routes } from './reports.routes.ts'

export const reports: Feature = { name: 'reports', routes, jobs }
