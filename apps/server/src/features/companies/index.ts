import type { Feature } from '../../platform/features.ts'
import { jobs } from './companies.jobs.ts'
import { reacts } from './companies.reacts.ts'
import { routes } from './companies.routes.ts'

export const companies: Feature = { name: 'companies', routes, jobs, reacts }
