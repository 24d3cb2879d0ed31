import type { Feature } from '../../platform/features.ts'
import { carriedOfLeads } from './leads.carried.queries.ts'
import { jobs } from './leads.jobs.ts'
import { routes } from './leads.routes.ts'
import { trialsLifetime } from './leads.trials.queries.ts'

export const leads: Feature = { name: 'leads', routes, jobs: [...jobs, trialsLifetime, ...carriedOfLeads] }
