import type { Feature } from '../../platform/features.ts'
import { carriedOfContactMerges } from './contactMerges.carried.queries.ts'
import { jobs } from './contactMerges.jobs.ts'
import { live } from './contactMerges.live.ts'
import { reacts } from './contactMerges.reacts.ts'
import { routes } from './contactMerges.routes.ts'

export const contactMerges: Feature = {
  name: 'contactMerges',
  routes,
  live,
  reacts,
  jobs: [...jobs, ...carriedOfContactMerges],
}
