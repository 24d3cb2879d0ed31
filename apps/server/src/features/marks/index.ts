import type { Feature } from '../../platform/features.ts'
import { jobs } from './marks.jobs.ts'
import { live } from './marks.live.ts'
import { reacts } from './marks.reacts.ts'
import { routes } from './marks.routes.ts'

export const marks: Feature = { name: 'marks', routes, live, reacts, jobs }
