import type { Feature } from '../../platform/features.ts'
import { carriedOfAssignment } from './assignment.carried.queries.ts'
import { jobs } from './assignment.jobs.ts'
import { live } from './assignment.live.ts'
import { reacts } from './assignment.reacts.ts'
import { routes } from './assignment.routes.ts'

export const assignment: Feature = {
  name: 'assignment',
  routes,
  live,
  reacts,
  jobs: [...jobs, ...carriedOfAssignment],
}
