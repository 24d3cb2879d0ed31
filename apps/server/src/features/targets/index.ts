import type { Feature } from '../../platform/features.ts'
import { jobs } from './targets.jobs.ts'
import { live } from './targets.live.ts'
import { reacts } from './targets.reacts.ts'
import { routes } from './targets.routes.ts'

export const targets: Feature = { name: 'targets', routes, live, reacts, jobs }
