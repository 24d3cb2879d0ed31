import type { Feature } from '../../platform/features.ts'
import { due } from '../../platform/work/due.ts'
import { destroyTickets, jobs } from './publicApi.jobs.ts'
import { destroyable } from './publicApi.queries.ts'
import { reacts } from './publicApi.reacts.ts'
import { routes } from './publicApi.routes.ts'

const NAME = 'publicApi'

export const publicApi: Feature = {
  name: NAME,
  routes,
  reacts,
  jobs: [...jobs, due(NAME, destroyTickets, sql => destroyable(sql, 1))],
}
