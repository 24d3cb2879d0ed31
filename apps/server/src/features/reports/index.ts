import type { Feature } from '../../platform/features.ts'
import { carriedOfReports } from './reports.carried.queries.ts'
import { jobs } from './reports.jobs.ts'
import { routes } from './reports.routes.ts'

export const reports: Feature = { name: 'reports', routes, jobs: [...jobs, ...carriedOfReports] }
