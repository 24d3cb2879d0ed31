import type { Feature } from '../../platform/features.ts'
import { carriedOfFlows } from './flows.carried.queries.ts'
import { jobs } from './flows.jobs.ts'
import { live } from './flows.live.ts'
import { reacts } from './flows.reacts.ts'
import { routes } from './flows.routes.ts'
import { flowLifetimes } from './flows.runs.queries.ts'

export const flows: Feature = {
  name: 'flows',
  routes,
  live,
  reacts,
  jobs: [...carriedOfFlows, ...jobs, ...flowLifetimes],
}
