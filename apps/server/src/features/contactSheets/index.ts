import type { Feature } from '../../platform/features.ts'
import { carriedOfContactSheets } from './contactSheets.carried.queries.ts'
import { jobs } from './contactSheets.jobs.ts'
import { live } from './contactSheets.live.ts'
import { reacts } from './contactSheets.reacts.ts'
import { routes } from './contactSheets.routes.ts'

export const contactSheets: Feature = {
  name: 'contactSheets',
  routes,
  live,
  reacts,
  jobs: [...jobs, ...carriedOfContactSheets],
}
