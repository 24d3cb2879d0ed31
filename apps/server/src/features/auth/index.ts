import type { Feature } from '../../platform/features.ts'
import { jobs } from './auth.jobs.ts'
import { reacts } from './auth.reacts.ts'
import { routes } from './auth.routes.ts'

export const auth: Feature = { name: 'auth', routes, reacts, jobs }
