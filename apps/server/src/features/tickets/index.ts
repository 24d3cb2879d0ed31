import type { Feature } from '../../platform/features.ts'
import { carriedOfTickets } from './tickets.carried.queries.ts'
import { jobs } from './tickets.jobs.ts'
import { live } from './tickets.live.ts'
import { reacts } from './tickets.reacts.ts'
import { routes } from './tickets.routes.ts'

export const tickets: Feature = {
  name: 'tickets',
  routes,
  live,
  reacts,
  jobs: [...jobs, ...carriedOfTickets],
}
