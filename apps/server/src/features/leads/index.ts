import type { Feature } from '../../platform/features.ts'
import { jobs } from './leads.jobs.ts'
import { routes } from './leads.routes.ts'

export const leads: Feature = { name: 'leads', routes, jobs }
