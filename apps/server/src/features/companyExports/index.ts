import type { Feature } from '../../platform/features.ts'
import { jobs } from './companyExports.jobs.ts'
import { reacts } from './companyExports.reacts.ts'
import { routes } from './companyExports.routes.ts'

export const companyExports: Feature = { name: 'companyExports', routes, jobs, reacts }
